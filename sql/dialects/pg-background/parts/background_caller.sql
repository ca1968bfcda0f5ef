-- background_caller() — the settings of the session that launches, for the session that runs
--
-- Its search path above all: names in the SQL mean what they mean to the caller. No
-- search path of its own, for it would see nothing else. Dates are read as the caller
-- reads them, and written as ISO has them: 01/02 would be another day to another reader.

create or replace function background_caller()
  returns jsonb
  language sql
  stable
begin atomic
  select jsonb_build_object(
    'search_path', current_setting('search_path'),
    'settings', jsonb_build_object(
      'TimeZone', current_setting('TimeZone'), 'DateStyle', 'ISO, ' || split_part(current_setting('DateStyle'), ', ', 2),
      'IntervalStyle', current_setting('IntervalStyle')));
end;
