-- background_read_as() — reads dates and intervals as they were written; gives the settings that were there before
--
-- 01/02/2026 is one day to its writer and may be another to its reader.

create or replace function background_read_as(p_settings jsonb)
  returns jsonb
  language plpgsql
as $$
declare
  v_name   text;
  v_before jsonb := '{}';
begin
  foreach v_name in array '{DateStyle,IntervalStyle,TimeZone}'::text[] loop
    continue when p_settings ->> v_name is null;
    v_before := v_before || jsonb_build_object(v_name, current_setting(v_name));
    perform set_config(v_name, p_settings ->> v_name, true);
  end loop;
  return v_before;
end;
$$;
