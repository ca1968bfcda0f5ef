-- clock_in_words() — a local time of day: 09:00, or 09:00:15 when it has seconds

create or replace function clock_in_words(p_local timestamp)
  returns text
  language plpgsql
  stable
as $$
begin
  return to_char(p_local, case when date_trunc('minute', p_local) = p_local then 'HH24:MI' else 'HH24:MI:SS' end);
end;
$$;
