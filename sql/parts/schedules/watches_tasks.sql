-- watches_tasks() — whether a schedule must know which of its tasks are live

create or replace function watches_tasks(p_schedule schedules)
  returns boolean
  language sql
  immutable
as $$
  select p_schedule.overlap in ('skip', 'cancel') or p_schedule.drift = 'finished';
$$;
