-- set_named() — store_schedule() for one of many: whatever is wrong, says of which it is

create or replace function set_named(p_name text, p_settings jsonb, p_may_be_over boolean)
  returns schedules
  language plpgsql
as $$
declare
  v_hint text;
begin
  return store_schedule(p_name, p_settings, p_may_be_over);
exception
  when sqlstate 'TK004' or sqlstate 'TK005' then
    get stacked diagnostics v_hint = pg_exception_hint;
    perform refuse(
      sqlstate,
      case when left(sqlerrm, 9) = 'schedule ' then sqlerrm else format('schedule %s cannot be set so: %s', p_name, sqlerrm) end,
      v_hint);
end;
$$;
