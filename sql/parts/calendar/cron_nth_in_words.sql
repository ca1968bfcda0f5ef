-- cron_nth_in_words() — the first Monday and the last Friday; null when there is none

create or replace function cron_nth_in_words(p_cron varbit[])
  returns text
  language plpgsql
  stable
as $$
declare
  c_which constant text[] := array['first', 'second', 'third', 'fourth', 'fifth', 'last'];
  c_names constant text[] := array['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
begin
  return nullif(and_list(array(
    select format('the %s %s', c_which[place / 7 + 1], c_names[place % 7 + 1])
    from unnest(bit_places(p_cron[9])) as place
    order by place / 7, (place % 7 + 6) % 7)), '');
end;
$$;
