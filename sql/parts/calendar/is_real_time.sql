-- is_real_time() — whether an interval is of hours, minutes and seconds alone, which no calendar changes

create or replace function is_real_time(p_every interval)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return extract(year from p_every) = 0 and extract(month from p_every) = 0 and extract(day from p_every) = 0;
end;
$$;
