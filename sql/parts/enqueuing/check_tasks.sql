-- check_tasks() — refuses a bulk if a task of it cannot be stored, naming which and why
--
-- Arrays are read by subscript, here and in enqueue_many(): two dozen unnested side
-- by side took four times as long to begin with (35 against 8 µs a call).

create or replace function check_tasks(
  p_queues text[], p_payloads jsonb[], p_kinds text[], p_handlers text[], p_priorities integer[],
  p_versions integer[], p_run_ats timestamptz[], p_deadlines timestamptz[], p_keys text[], p_on_duplicates text[],
  p_windows interval[], p_max_attempts integer[], p_max_runnings integer[], p_timeouts interval[],
  p_retentions interval[], p_groups text[], p_tags text[], p_backoffs jsonb[], p_metas jsonb[], p_smallest integer,
  p_now timestamptz
)
  returns void
  language plpgsql
as $$
declare
  v_place bigint;
  v_fault text;
  v_by    text;
begin
  if cardinality(p_queues) is distinct from cardinality(p_payloads) then
    perform refuse('TK004', 'each task needs a queue and a payload',
                   'Give p_queues and p_payloads with the same number of elements.');
  end if;
  if cardinality(p_queues) > bound('bulk') then
    perform refuse('TK004', format('%s tasks in one call, at most %s can be enqueued at once', cardinality(p_queues), bound('bulk')),
                   'Enqueue them in several calls; one transaction can hold them all.');
  end if;

  select i, fault into v_place, v_fault
  from generate_subscripts(p_queues, 1) as i
  cross join lateral task_fault(
    p_queues[i], p_payloads[i], p_kinds[i], p_handlers[i], p_priorities[i], p_versions[i], p_run_ats[i],
    p_deadlines[i], p_keys[i], p_on_duplicates[i], p_windows[i], p_max_attempts[i], p_max_runnings[i], p_timeouts[i],
    p_retentions[i], p_now) as fault
  -- p_smallest is the lowest limit of any queue: what stays below it need not be asked for its own.
  where fault is not null or pg_column_size(p_payloads[i]) > p_smallest
  limit 1;

  if v_place is not null and v_fault is null then
    perform check_payloads(p_queues, p_payloads);
  end if;
  if v_fault is null then
    perform check_sizes('meta', p_metas);
  end if;
  if v_fault is null and p_groups is not null then
    begin
      select i, fault into v_place, v_fault
      from generate_subscripts(p_groups, 1) as i
      cross join lateral group_fault(p_groups[i]::text[]) as fault
      where fault is not null
      limit 1;
    exception when data_exception then
      select place, fault into v_place, v_fault from literal_fault('groups', p_groups);
    end;
  end if;
  if v_fault is null and p_tags is not null then
    begin
      select i, fault into v_place, v_fault
      from generate_subscripts(p_tags, 1) as i
      cross join lateral tags_fault(p_tags[i]::text[]) as fault
      where fault is not null
      limit 1;
    exception when data_exception then
      select place, fault into v_place, v_fault from literal_fault('tags', p_tags);
    end;
  end if;
  if v_fault is null and array_remove(p_backoffs, null) <> '{}' then
    select i, backoff_fault(p_backoffs[i]) into v_place, v_fault
    from generate_subscripts(p_backoffs, 1) as i
    where p_backoffs[i] is not null and backoff_fault(p_backoffs[i]) is not null
    limit 1;
  end if;
  if v_fault is null and 'sql' = any (p_kinds) then
    v_by := submitter();
    select i, fault into v_place, v_fault
    from generate_subscripts(p_kinds, 1) as i
    cross join lateral sql_fault(p_payloads[i], v_by) as fault
    where p_kinds[i] = 'sql' and fault is not null
    limit 1;
  end if;
  if v_fault is not null then
    perform refuse_task(
      'TK004', v_place,
      format('%s cannot be enqueued: %s',
             case when cardinality(p_queues) > 1 then format('task %s of %s', v_place, cardinality(p_queues)) else 'the task' end,
             v_fault),
      'Nothing was enqueued. Correct the task and send it again.');
  end if;
end;
$$;
