-- moment_in_words() — an instant by the clocks of a zone: 24 December 2026 at 18:00 (Europe/Berlin)

create or replace function moment_in_words(p_at timestamptz, p_zone text)
  returns text
  language plpgsql
  stable
as $$
declare
  v_local timestamp := p_at at time zone p_zone;
begin
  return to_char(v_local, 'FMDD FMMonth FMYYYY "at" ') || clock_in_words(v_local) || zone_in_words(p_zone);
end;
$$;
