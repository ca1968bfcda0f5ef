-- check_count() — refuses a count that has no end or no time

create or replace function check_count(p_cap integer, p_within interval)
  returns void
  language plpgsql
as $$
begin
  if p_cap is null or p_cap not between 1 and 100000000 then
    perform refuse('TK004', format('cannot count up to %s', coalesce(p_cap::text, 'null')), 'Give a cap from 1 to 100000000.');
  end if;
  if p_within is null or p_within not between '0' and '1 day' then
    perform refuse('TK004', format('nothing can be counted within %s', coalesce(p_within::text, 'null')),
                   'Give an interval such as ''200 ms'', and no more than 1 day.');
  end if;
end;
$$;
