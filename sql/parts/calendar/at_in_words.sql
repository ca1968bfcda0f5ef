-- at_in_words() — a single time as an English sentence

create or replace function at_in_words(p_at timestamptz, p_zone text)
  returns text
  language plpgsql
  stable
as $$
begin
  return 'Once, on ' || moment_in_words(p_at, p_zone);
end;
$$;
