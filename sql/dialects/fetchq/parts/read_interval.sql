-- read_interval() — a duration as written; null when it cannot be read

create or replace function read_interval(p_text text)
  returns interval
  language plpgsql
  stable
as $$
begin
  return p_text::interval;
exception when data_exception then
  return null;
end;
$$;
