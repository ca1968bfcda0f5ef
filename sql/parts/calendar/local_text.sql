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
