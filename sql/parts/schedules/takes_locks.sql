-- takes_locks() — whether firing a schedule may have to wait for somebody's transaction

create or replace function takes_locks(p_schedule schedules)
  returns boolean
  language sql
  immutable
as $$
  select p_schedule.overlap = 'cancel' or p_schedule.task ? 'key';
$$;
