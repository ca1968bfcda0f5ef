-- Why a durable task waits.

-- explain_waiting() — what a task in state waiting waits for, as a reason of explain()

create or replace function explain_waiting(p_row tasks)
  returns wait_reason
  language plpgsql
  stable
as $$
declare
  v_signals text := (select string_agg(name, ', ') from jsonb_array_elements_text(p_row.waits -> 'signals') as name);
  v_left    bigint := (select sum((value ->> 'left')::bigint) from jsonb_array_elements(p_row.waits -> 'joins'));
  v_timed   boolean := p_row.run_at < never();
begin
  return row(
    'waiting',
    concat_ws(' or ',
      case when p_row.waits ? 'after'
           then format('waits for %s tasks that it comes after', p_row.waits #>> '{after,left}') end,
      'waits for the signal ' || v_signals,
      case when v_left > 0 then format('waits for %s children', v_left) end,
      case when v_timed then format('waits until %s', show_time(p_row.run_at)) end),
    case when v_signals is not null
         then format('Send it with signal(%s, %L), or cancel the task.', p_row.id, p_row.waits #>> '{signals,0}') end,
    jsonb_strip_nulls(jsonb_build_object(
      'waits', p_row.waits, 'until', case when v_timed then p_row.run_at end)))::wait_reason;
end;
$$;
