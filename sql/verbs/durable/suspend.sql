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
declare
  v_task   tasks;
  v_now    timestamptz;
  v_wait   jsonb;
  v_result record;
  v_over   steps[];
  v_until  timestamptz;
  v_waits  jsonb;
  v_signals text[] := '{}';
  v_joins  jsonb := '[]';
begin
  perform require_read_committed('suspend');
  perform check_waits(p_waits);
  v_task := hold_task(p_id, p_claim);
  v_now := clock_timestamp();
  for v_wait in select value from jsonb_array_elements(p_waits) loop
    v_result := wait_or_resolve(v_task, v_wait, v_now);
    v_over := v_over || v_result.resolved;
    v_until := least(v_until, v_result.until);
    v_signals := v_signals || v_result.signals;
    v_joins := v_joins || coalesce(v_result."join", '[]');
  end loop;
  if v_over is not null then
    return query
      select step.name, step.kind, step.state, step.child, step.signal, step.until, step.output, step.error
      from unnest(v_over) as step;
    return;
  end if;
  v_waits := jsonb_build_object(
    'since', v_now,
    'steps', (select coalesce(jsonb_agg(value ->> 'name'), '[]') from jsonb_array_elements(p_waits)
              where value ? 'name'),
    'signals', to_jsonb(v_signals), 'joins', v_joins);
  perform requeue(
    array[p_id], array[p_claim], 'renewed', array[coalesce(v_until, never())], null, array[v_waits]);
end;
$$;
