-- background_caller() — the settings of the session that launches, for the session that runs
--
-- Its search path above all: names in the SQL mean what they mean to the caller. No
-- search path of its own, for it would see nothing else.

create or replace function background_caller()
  returns jsonb
  language sql
  stable
begin atomic
  select jsonb_build_object(
    'search_path', current_setting('search_path'),
    'settings', jsonb_build_object(
      'TimeZone', current_setting('TimeZone'), 'DateStyle', current_setting('DateStyle'),
      'IntervalStyle', current_setting('IntervalStyle')));
end;
