-- acting_for() — the role in whose name a schedule, a trigger or an operation acts; null when none does
--
-- Any login may write to the setting. Only enqueue_occurrences() knows the secret of the
-- schedule, enqueue_change() that of the trigger and advance() that of the operation,
-- without which it counts for nothing.

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
    union all
    select started_by from operations
    where id = case when substr(v_claimed, 37) ~ '^[0-9]{1,18}$' then substr(v_claimed, 37)::bigint end
      and secret::text = left(v_claimed, 36)
  );
end;
$$;
