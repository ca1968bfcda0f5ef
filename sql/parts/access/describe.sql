-- describe() — how something that people change stands, for the audit
--
-- It is held until commit, so that nobody changes it between this and what the verb does.
-- What a task carries is not in it: payloads, outputs and errors are the business of
-- those who may see the task, for as long as it is kept.

create or replace function describe(p_kind text, p_name text)
  returns jsonb
  language plpgsql
as $$
declare
  c_task   constant text[] := '{queue,state,kind,handler,key,run_at,deadline,priority,version,groups,max_running,tags,timeout,max_attempts,backoff,parent,retention,submitted_by}';
  c_limits constant text[] := '{paused_at,max_running,gap,gap_from,rate,rate_window,weight}';
  c_queue  constant text[] := '{paused_at,max_attempts,max_payload,group_max_running,keep_done,keep_failed,keep_cancelled,backoff,on_lost,is_fair,keeps_keys,records_events}';
  v_row    jsonb;
  v_limits jsonb;
begin
  case p_kind
    when 'task' then
      select to_jsonb(tasks) || jsonb_build_object('state', case when claim is null then 'queued' else 'running' end) into v_row
      from tasks where id = p_name::bigint for no key update;
      if not found then
        select to_jsonb(finished) into v_row from finished where id = p_name::bigint for no key update;
      end if;
      return jsonb_strip_nulls(picked(v_row, c_task));
    when 'queue' then
      select to_jsonb(queues) into v_row from queues where name = p_name for update;
      select picked(to_jsonb(groups), array_remove(c_limits, 'paused_at')) into v_limits from groups where name = '@' || p_name for update;
      return jsonb_strip_nulls(picked(v_row, c_queue) || coalesce(v_limits, '{}'));
    when 'group' then
      select to_jsonb(groups) into v_row from groups where name = p_name for update;
      return jsonb_strip_nulls(picked(v_row, c_limits));
    when 'schedule' then
      select to_jsonb(schedules) into v_row from schedules where name = p_name for update;
      return jsonb_strip_nulls(picked(v_row, schedule_settings() || '{paused_at,pause_reason}'));
    when 'statement' then
      return (select to_jsonb(sql_statements) - 'name' from sql_statements where name = p_name for update);
    when 'connection' then
      return (select to_jsonb(sql_connections) - 'name' from sql_connections where name = p_name for update);
    when 'trigger' then
      return (select settings || jsonb_build_object('table', relation::regclass, 'set_by', set_by) from row_triggers where name = p_name for update);
  end case;
end;
$$;
