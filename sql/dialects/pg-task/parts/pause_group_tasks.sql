-- pause_group_tasks() — the pause of a group in which a task with a negative max has ended
--
-- Every task that waits and is due gets a new plan, by its own max and drift. None
-- with a negative max starts before the first of these, not even one that is inserted
-- during the pause.

create or replace function pause_group_tasks(p_queue text, p_group text, p_row task_row, p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_ids   bigint[];
  v_plans timestamptz[];
  v_first timestamptz;
begin
  select array_agg(waiting.id), array_agg(waiting.plan), min(waiting.plan)
  into v_ids, v_plans, v_first
  from (
    select id, next_pause(run_at, (meta #>> '{pg_task,max}')::integer, (meta #>> '{pg_task,drift}')::boolean, p_now) as plan
    from tasks
    where id = any (waiting_in(p_queue, pause_name(p_group), p_now))
      -- Those of the group that are not of the table may say anything.
      and case when meta #>> '{pg_task,max}' ~ '^-[0-9]{1,10}$'
               then (meta #>> '{pg_task,max}')::bigint >= -2147483648 and meta #>> '{pg_task,drift}' in ('true', 'false') end
  ) as waiting;
  perform hold_back(pause_name(p_group), coalesce(v_first, next_pause(p_row.plan, p_row.max, p_row.drift, p_now)));
  if v_ids is not null then
    perform postpone(v_ids, v_plans);
  end if;
end;
$$;
