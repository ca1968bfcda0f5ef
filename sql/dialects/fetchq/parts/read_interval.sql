-- read_interval() — a duration as written; null when it cannot be read
--
-- What is surely one is read without a net: a block that catches errors is a transaction
-- of its own, which takes longer than the reading.

create or replace function read_interval(p_text text)
  returns interval
  language plpgsql
  stable
as $$
begin
  if p_text ~ '^\d{1,6} ?(s|m|h|d)$' then
    return p_text::interval;
  end if;
  begin
    return p_text::interval;
  exception when data_exception then
    return null;
  end;
end;
$$;
