-- acting_for() — the role in whose name a schedule or a trigger enqueues; null when none does
--
-- Anybody may write to the setting. Only enqueue_occurrences() knows the secret of the
-- schedule, and enqueue_change() that of the trigger, without which it counts for nothing.

create or replace function acting_for()
  returns text
  language plpgsql
  stable
as $$
declare
  v_claimed text := current_setting('tusk.acting_for', true);
begin
  return (
    select set_by from schedules where name = substr(v_claimed, 37) and secret::text = left(v_claimed, 36)
    union all
    select set_by from row_triggers where name = substr(v_claimed, 37) and secret::text = left(v_claimed, 36)
  );
end;
$$;
