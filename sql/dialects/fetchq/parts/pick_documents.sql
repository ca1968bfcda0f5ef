-- pick_documents() — claims due documents of one version, each with its token
--
-- Due by time alone: one that was planned need not have met maintenance before.

create or replace function pick_documents(par_queue varchar, par_version integer, par_limit integer, par_duration varchar)
  returns table (
    token          bigint,
    subject        varchar,
    payload        jsonb,
    version        integer,
    priority       integer,
    attempts       integer,
    iterations     bigint,
    created_at     timestamptz,
    last_iteration timestamptz,
    next_iteration timestamptz,
    lock_upgrade   timestamptz
  )
  language plpgsql
as $$
#variable_conflict use_variable
declare
  v_queue    queues;
  v_lock     interval := read_interval(par_duration);
  v_picked   record;
  v_noted    bigint[] := '{}';
  v_subjects text[]   := '{}';
  v_promoted integer  := 0;
  v_many     integer;
begin
  select * into v_queue from queues where name = lower(par_queue);
  if not found or v_lock is null or par_version is null or par_limit < 0 then
    raise log 'fetchq: nothing was picked: queue %, version %, limit % or lock % cannot be meant',
      par_queue, par_version, par_limit, par_duration;
    return;
  end if;

  for v_picked in
    select *
    from claim(
      v_queue.name, coalesce(par_limit, 2147483647), caller(), greatest(v_lock, interval '1 microsecond'),
      '{document}', array[null]::text[], array[par_version], array[par_version])
  loop
    token := v_picked.claim;
    subject := v_picked.key;
    payload := v_picked.payload;
    version := v_picked.version;
    priority := v_picked.priority;
    attempts := v_picked.attempt;
    iterations := v_picked.iteration;
    created_at := v_picked.created_at;
    next_iteration := v_picked.lease_expires_at;
    last_iteration := null;
    -- Only what came back, or was not pushed for now, has a story.
    if attempts > 1 or iterations > 0 or v_picked.run_at <> created_at then
      v_noted := v_noted || v_picked.id;
      select rounds.last_iteration, iterations + rounds.rejects into last_iteration, iterations
      from rounds where rounds.task = v_picked.id;
      if not found then
        iterations := v_picked.iteration;
      end if;
    end if;
    v_subjects := v_subjects || v_picked.key;
    return next;
  end loop;
  if v_subjects = '{}' then
    return;
  end if;

  if v_noted <> '{}' then
    delete from planned where planned.task = any (v_noted);
    get diagnostics v_promoted = row_count;
  end if;
  v_many := cardinality(v_subjects);
  insert into metrics_writes (created_at, queue, metric, increment)
  select now(), v_queue.name, change.metric, change.increment
  from (values ('pkd', v_many), ('act', v_many), ('pnd', v_promoted - v_many), ('pln', -v_promoted)) as change (metric, increment)
  where change.increment <> 0;
  perform tell(v_queue, 'act', variadic v_subjects);
end;
$$;
