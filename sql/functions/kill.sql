-- kill(): running → failed
--
-- The consumer gives the task up for good, whatever attempts are left.

create or replace function kill(p_id bigint, p_claim bigint, p_error jsonb default null)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform from end_attempts(
    array[p_id], array[p_claim], array['killed'], array[p_error], null, array[false], null, false);
  perform require_held(p_id, p_claim, found);
end;
$$;
