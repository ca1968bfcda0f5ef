-- prepare_days() — makes the partitions of finished for the coming days; answers how many
--
-- Only days that have not begun: no row of theirs can stand in the default
-- partition yet, so none is ever moved. Unless the clock was ahead once: then that day
-- stays in the default partition, and its rows are swept one by one.

create or replace function prepare_days(p_now timestamptz)
  returns integer
  language plpgsql
  set timezone = 'UTC'
  set lock_timeout = '1s'
as $$
declare
  v_day  date;
  v_name text;
  v_made integer := 0;
begin
  for i in 1..2 loop
    v_day := (p_now at time zone 'UTC')::date + i;
    v_name := 'finished_' || to_char(v_day, 'YYYYMMDD');
    if to_regclass(format('%I.%I', current_schema(), v_name)) is null then
      begin
        -- The parent is locked for a moment; under a long reader, try again next time.
        execute format('create table %I partition of finished for values from (%L) to (%L)',
                       v_name, v_day::timestamptz, (v_day + 1)::timestamptz);
        v_made := v_made + 1;
      exception
        when lock_not_available or duplicate_table or check_violation then null;
      end;
    end if;
  end loop;
  return v_made;
end;
$$;
