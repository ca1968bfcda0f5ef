-- background_read_as() — reads intervals in a style from now on; gives the one that was there before
--
-- '-1 2:03:04' is two hours more to one style than to another.

create or replace function background_read_as(p_style text)
  returns text
  language plpgsql
as $$
declare
  v_before text := current_setting('IntervalStyle');
begin
  perform set_config('IntervalStyle', coalesce(p_style, v_before), true);
  return v_before;
end;
$$;
