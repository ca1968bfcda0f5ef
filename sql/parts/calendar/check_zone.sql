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
  c_how           constant text := 'Write the name of a place such as Europe/Berlin, or UTC; pg_timezone_names lists them.';
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
     and not exists (select from pg_timezone_names as zones where lower(zones.name collate "C") = lower(p_zone collate "C")) then
    perform refuse('TK004', format('there is no time zone %L', left(p_zone, 100)), c_how);
  end if;
end;
$$;
