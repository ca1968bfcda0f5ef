-- note_failure() — a schedule that could not fire says why, and waits before it is tried again
--
-- A second at first, twice as long each time, five minutes at most. Its planned times
-- are not lost: they are late then, or missed.

create or replace function note_failure(p_schedule schedules, p_code text, p_message text)
  returns void
  language plpgsql
as $$
begin
  update schedules
  set failures = failures + 1,
      error    = jsonb_build_object('code', p_code, 'message', left(p_message, 2000), 'at', clock_timestamp()),
      look_at  = clock_timestamp() + least(interval '5 minutes', interval '1 second' * 2 ^ least(failures, 10))
  where name = p_schedule.name;
end;
$$;
