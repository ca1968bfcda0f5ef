-- every_in_words() — an interval as an English sentence

create or replace function every_in_words(p_every interval, p_zone text, p_anchor timestamptz)
  returns text
  language plpgsql
  stable
as $$
begin
  return format('Every %s', p_every);
end;
$$;
