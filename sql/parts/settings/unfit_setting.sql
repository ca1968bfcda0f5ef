-- unfit_setting() — which setting does not fit the row it is for, and why; null when all do
--
-- Postgres says only that "many" is no integer, not which of the settings it stands in.

create or replace function unfit_setting(p_row anyelement, p_settings jsonb)
  returns text
  language plpgsql
  stable
as $$
declare
  v_name  text;
  v_value jsonb;
begin
  for v_name, v_value in select key, value from jsonb_each(p_settings) loop
    begin
      perform jsonb_populate_record(p_row, jsonb_build_object(v_name, v_value));
    exception
      when data_exception then
        return format('%s: %s', v_name, sqlerrm);
    end;
  end loop;
  return null;
end;
$$;
