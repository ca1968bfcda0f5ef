-- require_schedule() — refuses a caller that may not operate the queue for which a schedule makes tasks

create or replace function require_schedule(p_schedule schedules)
  returns void
  language plpgsql
as $$
begin
  if has_grants() then
    perform require_queues('operate', array[p_schedule.task ->> 'queue']);
  end if;
end;
$$;
