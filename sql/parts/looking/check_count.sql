-- check_count() — refuses a count that has no end or no time

create or replace function check_count(p_cap integer, p_within interval)
  returns void
  language plpgsql
as $$
begin
  if p_cap is null or p_cap < 1 then
    perform refuse('TK004', format('cannot count up to %s', coalesce(p_cap::text, 'null')), 'Give a cap of 1 or more.');
  end if;
  if p_within is null or p_within < interval '0' then
    perform refuse('TK004', format('nothing can be counted within %s', coalesce(p_within::text, 'null')),
                   'Give an interval such as ''200 ms''.');
  end if;
end;
$$;
