-- check_tasks() — refuses a bulk if a task of it cannot be stored, naming which and why

create or replace function check_tasks(
  p_queues text[], p_payloads jsonb[], p_kinds text[], p_handlers text[], p_priorities integer[],
  p_versions integer[], p_run_ats timestamptz[], p_deadlines timestamptz[], p_keys text[], p_on_duplicates text[],
  p_windows interval[], p_max_attempts integer[], p_max_runnings integer[], p_timeouts interval[],
  p_retentions interval[], p_groups text[], p_backoffs jsonb[], p_now timestamptz
)
  returns void
  language plpgsql
  set search_path from current
  set plan_cache_mode = force_generic_plan
as $$
declare
  v_allowed integer := (select min(max_payload) from queues);
  v_place   bigint;
  v_fault   text;
  v_large   bigint;
  v_common  text;
begin
  if cardinality(p_queues) is distinct from cardinality(p_payloads) then
    perform refuse('TK004', 'each task needs a queue and a payload',
                   'Give p_queues and p_payloads with the same number of elements.');
  end if;

  select min(given.place) filter (where given.fault is not null),
         (array_agg(given.fault order by given.place) filter (where given.fault is not null))[1],
         min(given.place) filter (where pg_column_size(given.payload) > v_allowed)
  into v_place, v_fault, v_large
  from (
    select task.place, task.payload,
           case when task.payload is null then 'it has no payload' else task_fault(
             task.queue, task.kind, task.handler, task.priority, task.version, task.run_at, task.deadline, task.key,
             task.on_duplicate, task.span, task.max_attempts, task.max_running, task.timeout, task.retention, p_now
           ) end as fault
    from unnest(
      p_queues, p_payloads, p_kinds, p_handlers, p_priorities, p_versions, p_run_ats, p_deadlines, p_keys,
      p_on_duplicates, p_windows, p_max_attempts, p_max_runnings, p_timeouts, p_retentions
    ) with ordinality as task (
      queue, payload, kind, handler, priority, version, run_at, deadline, key, on_duplicate, span, max_attempts,
      max_running, timeout, retention, place)
  ) as given;

  if v_fault is null and p_groups is not null then
    select given.place, group_fault(given.names::text[]) into v_place, v_fault
    from unnest(p_groups) with ordinality as given (names, place)
    where group_fault(given.names::text[]) is not null
    order by given.place
    limit 1;
  end if;
  if v_fault is null and p_backoffs is not null then
    select given.place, backoff_fault(given.policy) into v_place, v_fault
    from unnest(p_backoffs) with ordinality as given (policy, place)
    where given.policy is not null and backoff_fault(given.policy) is not null
    order by given.place
    limit 1;
  end if;
  if v_fault is not null then
    v_common := case when cardinality(p_queues) > 1 then format('task %s of %s', v_place, cardinality(p_queues)) else 'the task' end;
    perform refuse('TK004', format('%s cannot be enqueued: %s', v_common, v_fault), 'Nothing was enqueued. Mend the task and send it again.');
  end if;
  if v_large is not null then
    perform check_payloads(p_queues, p_payloads);
  end if;
end;
$$;
