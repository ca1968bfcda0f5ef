-- revise(): queued | done | failed | cancelled, with another payload, priority or time
--
-- What is null stays as it is. A task that has ended stays ended; what was changed
-- is what retry() would begin with. One that runs is its holder's to change.

create or replace function revise(
  p_id       bigint,
  p_payload  jsonb       default null,
  p_priority integer     default null,
  p_run_at   timestamptz default null
)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_old tasks;
begin
  if p_run_at is not null then
    perform check_run_at(p_run_at);
  end if;
  select * into v_old from tasks where id = p_id and claim is null for no key update;
  if not found then
    update finished
    set payload  = coalesce(p_payload, payload),
        priority = coalesce(p_priority, priority),
        run_at   = coalesce(p_run_at, run_at)
    where id = p_id;
    perform require_state(p_id, found, 'revised', 'queued, done, failed or cancelled');
    return;
  end if;

  if p_payload is not null then
    perform check_payloads(array[v_old.queue], array[p_payload]);
  end if;
  perform open_lanes(array[v_old.queue], array[coalesce(p_priority, v_old.priority)]);
  update tasks
  set payload   = coalesce(p_payload, payload),
      priority  = coalesce(p_priority, priority),
      run_at    = coalesce(p_run_at, run_at),
      parked_on = null
  where id = p_id;
  if v_old.groups is not null and v_old.parked_on is null and p_run_at > v_now then
    perform free_groups(v_old.groups, array_fill(0, array[cardinality(v_old.groups)]), v_now);
  end if;
  perform ring(array[v_old.queue], coalesce(p_run_at, v_old.run_at));
end;
$$;
