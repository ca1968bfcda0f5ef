-- keep_step(): running, with a checkpoint, in the transaction of the effect
--
-- Part of step(), which finds it by the schema that the setting tusk.run names: what commits may neither set a
-- search path nor be SECURITY DEFINER. The token of that setting proves for which task it speaks.

create or replace function keep_step(p_name text, p_output jsonb, p_started_at timestamptz)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_task tasks := hold_run();
begin
  perform check_steps(array[p_name], array[p_output]);
  perform store_steps(
    array[v_task.id], array[v_task.claim], array[p_name], array[p_output], null, null, null, array[p_started_at]);
end;
$$;
