-- nearest_weekday() — the day from Monday to Friday that is nearest to a day, in the same month

create or replace function nearest_weekday(p_day integer, p_length integer, p_first integer)
  returns integer
  language plpgsql
  stable
as $$
begin
  return case (p_first + p_day - 1) % 7
    when 6 then case when p_day = 1 then 3 else p_day - 1 end
    when 0 then case when p_day = p_length then p_day - 2 else p_day + 1 end
    else p_day
  end;
end;
$$;
