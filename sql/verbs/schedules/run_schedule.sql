-- run_schedule() — fires a schedule now, paused or not; answers with the id of its task
--
-- An occurrence of its own, of this moment: planned times stay as they are. Overlap
-- holds: with skip it refuses while a task of the schedule is live, with cancel it
-- cancels that one, with queue it waits behind it. If the key of its task is taken,
-- the occurrence is skipped, and the answer is the task that holds it.

create or replace function run_schedule(p_name text)
  returns bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_plan schedules := hold_schedule(p_name);
  v_now  timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_ids  bigint[];
  v_gone bigint[];
  v_task bigint;
begin
  v_plan.live := live_tasks(v_plan.live);
  if v_plan.overlap = 'skip' and v_plan.live <> '{}' then
    perform refuse('TK003', format('task %s of schedule %s has not ended yet', v_plan.live[1], p_name),
                   'Wait for it, cancel it, or set overlap to allow.');
  elsif v_plan.overlap = 'cancel' then
    v_gone := cancel_tasks(v_plan.live);
    v_plan.live := '{}';
  end if;
  while exists (select from occurrences where schedule = p_name and planned_at = v_now) loop
    v_now := v_now + interval '1 millisecond';
  end loop;

  v_ids := enqueue_occurrences_of(v_plan, array[v_now], array[v_now], 'now');
  update schedules
  set fired_at   = case when v_ids[1] is null then fired_at else v_now end,
      fired_task = coalesce(v_ids[1], fired_task),
      live       = case when tracks_tasks(v_plan) then v_plan.live || array_remove(v_ids, null) else '{}' end
  where name = p_name;
  v_task := (select task from occurrences where schedule = p_name and planned_at = v_now);
  perform audit_action('run_schedule', 'schedule ' || p_name, null,
                       jsonb_strip_nulls(jsonb_build_object('task', v_task, 'cancelled', v_gone)));
  return v_task;
end;
$$;
