-- every_match() — the first local time after p_shown on the grid of an interval with days or months
--
-- Times are counted from the start, never from the last one, so that 1 month after
-- 31 January is the last of February, then 31 March.

create or replace function every_match(p_every interval, p_start timestamp, p_shown timestamp)
  returns timestamp
  language plpgsql
  stable
as $$
declare
  v_low  bigint := 0;
  v_high bigint;
  v_try  bigint;
begin
  -- Some more than there can be: a month counts as 30 days here and may have 28.
  v_high := greatest(0, 1 + ceil(extract(epoch from p_shown - p_start) / extract(epoch from p_every) * 1.1));
  while v_low < v_high loop
    v_try := (v_low + v_high) / 2;
    if p_start + p_every * v_try > p_shown then
      v_high := v_try;
    else
      v_low := v_try + 1;
    end if;
  end loop;
  return p_start + p_every * v_low;
end;
$$;
