-- latest_shown() — the latest time that the clocks of a zone have shown until an instant
--
-- Differs from what they show now while they repeat an hour: then it is the end of that
-- hour, which is not shown yet, less a microsecond.

create or replace function latest_shown(p_at timestamptz, p_zone text)
  returns timestamp
  language plpgsql
  stable
as $$
declare
  v_local  timestamp := p_at at time zone p_zone;
  v_at     timestamp := p_at at time zone 'UTC';
  v_from   timestamp := v_at - interval '26 hours';
  v_before interval := (v_from at time zone 'UTC') at time zone p_zone - v_from;
begin
  if v_before <= v_local - v_at then
    return v_local;
  end if;
  return greatest(v_local, clock_change(p_zone, v_from, v_at) + v_before - interval '1 microsecond');
end;
$$;
