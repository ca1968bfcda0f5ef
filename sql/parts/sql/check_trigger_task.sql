-- check_trigger_task() — refuses a trigger whose task could not be enqueued
--
-- Asks the one who will have to do it: the task is enqueued, and undone.

create or replace function check_trigger_task(p_name text, p_task jsonb)
  returns void
  language plpgsql
as $$
begin
  perform from enqueue_many(jsonb_build_array(p_task));
  raise exception using errcode = 'TK999';
exception
  when sqlstate 'TK999' then
    null;
  when sqlstate 'TK004' or sqlstate 'TK005' then
    perform refuse('TK004', format('trigger %L cannot be made so: %s', p_name, sqlerrm), 'Nothing was changed. Mend it and try again.');
end;
$$;
