-- Time zones: what their clocks show, and when they are changed.

-- first_instant_showing() — the first instant at which the clocks of a zone show a time, or a later one
--
-- This is the whole rule for fixed times. A time that the clocks skip comes at the end
-- of the gap; a time that they show twice comes the first time.
--
-- 26 hours to either side hold every change that can matter: no two zones differ by more.

create or replace function first_instant_showing(p_local timestamp, p_zone text)
  returns timestamptz
  language plpgsql
  stable
as $$
declare
  v_near   timestamp := (p_local at time zone p_zone) at time zone 'UTC';
  v_from   timestamp := v_near - interval '26 hours';
  v_to     timestamp := v_near + interval '26 hours';
  v_before interval := (v_from at time zone 'UTC') at time zone p_zone - v_from;
  v_after  interval := (v_to at time zone 'UTC') at time zone p_zone - v_to;
  v_change timestamp;
begin
  if v_before = v_after then
    return v_near at time zone 'UTC';
  end if;
  v_change := find_clock_change(p_zone, v_from, v_to);
  if p_local - v_before < v_change then
    return (p_local - v_before) at time zone 'UTC';
  end if;
  return greatest(v_change, p_local - v_after) at time zone 'UTC';
end;
$$;

-- latest_local_time() — the latest time that the clocks of a zone have shown until an instant
--
-- Differs from what they show now while they repeat an hour: then it is the end of that
-- hour, which is not shown yet, less a microsecond.

create or replace function latest_local_time(p_at timestamptz, p_zone text)
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
  return greatest(v_local, find_clock_change(p_zone, v_from, v_at) + v_before - interval '1 microsecond');
end;
$$;

-- find_clock_change() — when the clocks of a zone were changed between two instants
--
-- Instants are timestamps of UTC here and in the parts around it: they can be counted
-- with, whatever the session's TimeZone. The offset at p_to must differ from the one at
-- p_from. Halves the span until one second is left: 18 steps for two days.

create or replace function find_clock_change(p_zone text, p_from timestamp, p_to timestamp)
  returns timestamp
  language plpgsql
  stable
as $$
declare
  v_offset interval := (p_from at time zone 'UTC') at time zone p_zone - p_from;
  v_from   timestamp := date_trunc('second', p_from);
  v_to     timestamp := date_trunc('second', p_to);
  v_middle timestamp;
begin
  while v_to - v_from > interval '1 second' loop
    v_middle := v_from + date_trunc('second', (v_to - v_from) / 2);
    if (v_middle at time zone 'UTC') at time zone p_zone - v_middle = v_offset then
      v_from := v_middle;
    else
      v_to := v_middle;
    end if;
  end loop;
  return v_to;
end;
$$;

-- local_text() — an instant as the clocks of a zone show it, with their offset from UTC
--
--   Sun 2026-10-25 02:30:00 +02:00

create or replace function local_text(p_at timestamptz, p_zone text)
  returns text
  language sql
  stable
as $$
  select to_char(p_at at time zone p_zone, 'Dy YYYY-MM-DD HH24:MI:SS ')
    || case when ahead < interval '0' then '-' else '+' end
    || to_char(greatest(ahead, -ahead), 'HH24:MI')
  from (select (p_at at time zone p_zone) - (p_at at time zone 'UTC')) as offsets (ahead);
$$;

-- time_in_zone() — reads a time; without an offset of its own it is meant in this zone

create or replace function time_in_zone(p_text text, p_zone text)
  returns timestamptz
  language plpgsql
  set timezone = 'UTC'
as $$
begin
  -- Undone by the setting above when the function ends.
  perform set_config('timezone', p_zone, true);
  return p_text::timestamptz;
end;
$$;

-- check_zone() — refuses what is not the name of a time zone
--
-- Postgres would take more: abbreviations, which stand for a fixed offset (CET stays on
-- winter time all year), and any word with a number, as a zone of that offset. A place
-- cannot be mistaken for either; only other names are looked up, which takes a while.

create or replace function check_zone(p_zone text)
  returns void
  language plpgsql
  stable
as $$
declare
  c_abbreviations constant text[] := array['CET', 'EET', 'MET', 'WET', 'EST', 'MST', 'HST'];
  c_how           constant text := 'Write the name of a place such as Europe/Berlin, or UTC; pg_timezone_names '
                                   'lists them.';
begin
  if p_zone is null then
    perform refuse('TK004', 'zone must not be null', c_how);
  end if;
  if p_zone = 'UTC' then
    return;
  end if;
  if upper(p_zone collate "C") = any (c_abbreviations) then
    perform refuse('TK004', format('zone %L is an abbreviation, and does not change to summer time', p_zone), c_how);
  end if;
  begin
    perform timestamp '2000-01-01' at time zone p_zone;
  exception when invalid_parameter_value then
    perform refuse('TK004', format('there is no time zone %L', left(p_zone, 100)), c_how);
  end;
  if p_zone !~ '^[A-Za-z_-]+(/[A-Za-z_-]+)+$'
     and not exists (select from pg_timezone_names as zones
                     where lower(zones.name collate "C") = lower(p_zone collate "C")) then
    perform refuse('TK004', format('there is no time zone %L', left(p_zone, 100)), c_how);
  end if;
end;
$$;
