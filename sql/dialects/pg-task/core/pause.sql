-- Groups that pause between two tasks.

-- pause_group_tasks() — the pause of a group in which a task with a negative max has ended
--
-- Every task that waits and is due gets a new plan, by its own max and drift. None
-- with a negative max starts before the first of these, not even one that is inserted
-- during the pause.

create or replace function pause_group_tasks(p_ended ended_task, p_row task_row, p_table task_tables)
  returns void
  language plpgsql
as $$
declare
  v_group text := pause_name(p_ended.groups[1]);
  v_now   timestamptz := p_ended.finished_at;
  v_ids   bigint[];
  v_rows  bigint[];
  v_plans timestamptz[];
  v_first timestamptz;
begin
  select array_agg(waiting.id), array_agg(waiting.key::bigint), array_agg(waiting.plan), min(waiting.plan)
  into v_ids, v_rows, v_plans, v_first
  from (
    select id, key,
           next_pause(run_at, (meta #>> '{pg_task,max}')::integer, (meta #>> '{pg_task,drift}')::boolean, v_now) as plan
    from live_task
    where id = any (list_waiting_tasks(p_ended.queue, v_group, v_now))
      -- Those of the group that are not of the table may say anything.
      and case when meta #>> '{pg_task,max}' ~ '^-[0-9]{1,10}$' and key ~ '^-?[0-9]{1,18}$'
               then (meta #>> '{pg_task,max}')::bigint >= -2147483648
                 and meta #>> '{pg_task,drift}' in ('true', 'false') end
  ) as waiting;
  perform delay_group(v_group, coalesce(v_first, next_pause(p_row.plan, p_row.max, p_row.drift, v_now)));
  if v_ids is not null then
    perform postpone_tasks(v_ids, v_plans);
    execute format(
      'update %1$s as t set plan = given.plan from unnest($1, $2) as given (id, plan)
       where t.id = given.id
         and t.id in (select id from %1$s where id = any ($1) and state = ''PLAN'' for update skip locked)',
      p_table.relation::regclass)
    using v_rows, v_plans;
  end if;
end;
$$;

-- pause_name() — the engine's group for the tasks of a group that pause between them

create or replace function pause_name(p_group_name text)
  returns text
  language sql
  immutable
as $$
  select 'pause of ' || p_group_name;
$$;
