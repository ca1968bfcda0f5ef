-- suspend(): running → waiting
--
--   select * from suspend(42, 7, '[{"kind": "signal", "name": "paid", "for": "1 day"}]');
--
-- For the holder of the claim. Looks for what the task waits for, with its row locked. What has
-- happened already comes back as steps, and the task runs on. Otherwise nothing comes back: the task
-- has given up its claim and its slots, and is claimed again when the first of its waits is over.
-- Its attempts begin anew.
--
-- A wait is a delay or a signal, with a name and "for" or "until" (a signal may name another
-- "signal" than its step); children, with their names, "mode" (all, any, race) and "on_failure"
-- (throw: over with the first that fails; collect: when all have ended); or retry, which is a pause.

create or replace function suspend(p_id bigint, p_claim bigint, p_waits jsonb)
  returns table (
    name text, kind text, state text, child bigint, signal bigint, until timestamptz, output jsonb, error jsonb
  )
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
begin
  return query
    select step.name, step.kind, step.state, step.child, step.signal, step.until, step.output, step.error
    from unnest(suspend_task(hold_task(p_id, p_claim), p_waits)) as step;
end;
$$;
