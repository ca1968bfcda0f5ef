-- read_interval() — a duration as written; null when it cannot be read, or reaches beyond all times
--
-- What is surely one is read without a net: a block that catches errors is a transaction
-- of its own, which takes longer than the reading.

create or replace function read_interval(p_text text)
  returns interval
  language plpgsql
  stable
as $$
declare
  v_read interval;
begin
  if p_text ~ '^[0-9]{1,6} ?(s|m|h|d)$' then
    return p_text::interval;
  end if;
  begin
    v_read := p_text::interval;
    -- Raises where the calendar ends.
    return case when isfinite(now() + v_read) and isfinite(now() - v_read) then v_read end;
  exception when data_exception then
    return null;
  end;
end;
$$;
