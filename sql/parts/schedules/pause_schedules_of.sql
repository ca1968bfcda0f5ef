-- pause_schedules_of() — pauses what was set with a token that is revoked; answers with the names
--
-- One that is paused already stays so, and needs an operator to go on as the others do.

create or replace function pause_schedules_of(p_token tokens, p_now timestamptz)
  returns text[]
  language plpgsql
as $$
declare
  v_names text[];
  v_name  text;
begin
  -- In one order, as apply_schedules() locks them.
  perform from schedules where token = p_token.id order by name for update;
  with paused as (
    update schedules
    set paused_at    = coalesce(paused_at, p_now),
        pause_reason = format('token %s (%s), which set it, was revoked', p_token.id, p_token.name)
    where token = p_token.id
    returning name
  )
  select coalesce(array_agg(name order by name), '{}') into v_names from paused;
  foreach v_name in array v_names loop
    perform pg_notify(current_schema() || ':schedules', v_name);
  end loop;
  return v_names;
end;
$$;
