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
