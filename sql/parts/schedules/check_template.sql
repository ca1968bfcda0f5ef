-- check_template() — refuses a schedule whose task could not be enqueued
--
-- Asks the one who will have to do it: the task is enqueued, and undone.

create or replace function check_template(p_schedule schedules)
  returns void
  language plpgsql
as $$
declare
  c_undone constant text := 'TK999';
  v_hint   text;
begin
  -- In the name of the caller, who must be allowed to enqueue this, and so without the group of
  -- the schedule, which only the schedule may name.
  p_schedule.overlap := 'allow';
  perform from enqueue_many(jsonb_build_array(
    occurrence_task(p_schedule, clock_timestamp(), clock_timestamp() + interval '100 years')));
  raise exception using errcode = c_undone;
exception
  when sqlstate 'TK999' then
    null;
  when sqlstate 'TK004' or sqlstate 'TK005' then
    get stacked diagnostics v_hint = pg_exception_hint;
    perform refuse(sqlstate, format('schedule %s cannot be set so: %s', p_schedule.name, sqlerrm), 'Nothing was changed. ' || v_hint);
end;
$$;
