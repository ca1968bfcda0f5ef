-- check_lists() — refuses a bulk whose arrays are more than plain lists, one element per task

create or replace function check_lists(
  p_queues text[], p_payloads jsonb[], p_handlers text[], p_kinds text[], p_priorities integer[],
  p_run_ats timestamptz[], p_keys text[], p_on_duplicates text[], p_windows interval[], p_frees_keys boolean[],
  p_groups text[], p_max_runnings integer[], p_tags text[], p_versions integer[], p_max_attempts integer[],
  p_backoffs jsonb[], p_timeouts interval[], p_deadlines timestamptz[], p_retentions interval[], p_parents bigint[],
  p_metas jsonb[]
)
  returns void
  language plpgsql
as $$
declare
  c_most  constant integer := coalesce(cardinality(p_queues), 0);
  v_wrong text;
begin
  v_wrong := case
    when not is_list(p_queues) then 'p_queues'
    when not is_list(p_payloads) then 'p_payloads'
    when not is_list(p_handlers, c_most) then 'p_handlers'
    when not is_list(p_kinds, c_most) then 'p_kinds'
    when not is_list(p_priorities, c_most) then 'p_priorities'
    when not is_list(p_run_ats, c_most) then 'p_run_ats'
    when not is_list(p_keys, c_most) then 'p_keys'
    when not is_list(p_on_duplicates, c_most) then 'p_on_duplicates'
    when not is_list(p_windows, c_most) then 'p_windows'
    when not is_list(p_frees_keys, c_most) then 'p_frees_keys'
    when not is_list(p_groups, c_most) then 'p_groups'
    when not is_list(p_max_runnings, c_most) then 'p_max_runnings'
    when not is_list(p_tags, c_most) then 'p_tags'
    when not is_list(p_versions, c_most) then 'p_versions'
    when not is_list(p_max_attempts, c_most) then 'p_max_attempts'
    when not is_list(p_backoffs, c_most) then 'p_backoffs'
    when not is_list(p_timeouts, c_most) then 'p_timeouts'
    when not is_list(p_deadlines, c_most) then 'p_deadlines'
    when not is_list(p_retentions, c_most) then 'p_retentions'
    when not is_list(p_parents, c_most) then 'p_parents'
    when not is_list(p_metas, c_most) then 'p_metas'
  end;
  if v_wrong is not null then
    perform refuse('TK004', format('%s does not have one element per task', v_wrong),
                   'Give arrays of one dimension that begin at 1, none longer than p_queues.');
  end if;
end;
$$;
