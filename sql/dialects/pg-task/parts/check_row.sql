-- check_row() — refuses a row that pg_task's table would not have taken either

create or replace function check_row(p_row task_row)
  returns void
  language plpgsql
as $$
declare
  c_needed constant text[] := '{plan,active,live,repeat,timeout,count,max,state,delete,drift,header,save,string,delimiter,escape,quote,group,input,"null"}';
  v_column text;
  v_fault  text;
begin
  select name into v_column
  from jsonb_each(to_jsonb(p_row)) as given (name, value)
  where name = any (c_needed) and value = 'null'
  order by array_position(c_needed, name)
  limit 1;
  v_fault := case
    when v_column is not null then format('null value in column %I', v_column)
    when not isfinite(p_row.plan) then 'plan must be a point in time'
    when p_row.active <= interval '0' then 'active must be longer than nothing'
    -- Whoever wants no end may say so ('infinity'); else it is one that a calendar has.
    when isfinite(p_row.active) and extract(year from p_row.plan) + extract(epoch from p_row.active) / 31557600 > 294000
      then 'active leads beyond the end of the calendar'
    when p_row.live < interval '0' then 'live must not be negative'
    when not isfinite(p_row.repeat) then 'repeat must be a length of time'
    when p_row.repeat < interval '0' then 'repeat must not be negative'
    -- Months differ in length: with parts of both signs a step might lead back.
    when 0 > any (array[
      extract(year from p_row.repeat), extract(month from p_row.repeat), extract(day from p_row.repeat),
      extract(hour from p_row.repeat), extract(minute from p_row.repeat), extract(microseconds from p_row.repeat)
    ]) then 'no part of repeat may be negative'
    when p_row.timeout < interval '0' then 'timeout must not be negative'
    when p_row.count < 0 then 'count must not be negative'
  end;
  if v_fault is not null then
    perform refuse('TK004', 'the task is refused: ' || v_fault, 'Nothing was changed. Mend the row and send it again.');
  end if;
end;
$$;
