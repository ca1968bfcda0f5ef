-- read_steps() — the steps of a task in the order in which they were stored, for the holder of its claim
--
-- A delay that is over is done from now on: a task that was woken by time goes on without a suspend().

create or replace function read_steps(p_id bigint, p_claim bigint)
  returns table (
    name text, kind text, state text, attempt integer, child bigint, signal bigint, until timestamptz, output jsonb,
    error jsonb
  )
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
begin
  perform require_tasks('consume', array[p_id]);
  perform require_held(p_id, p_claim, exists (
    select from tasks where id = find_row(p_id) and claim = p_claim));
  update steps as step
  set state = 'done', finished_at = clock_timestamp()
  where step.task = p_id and step.kind = 'delay' and step.state = 'open' and step.until <= clock_timestamp();
  return query
    select step.name, step.kind, step.state, step.attempt, step.child, step.signal, step.until, step.output, step.error
    from steps as step
    where step.task = p_id
    order by step.place;
end;
$$;
