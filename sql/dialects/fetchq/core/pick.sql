-- queued → running: documents are picked.

-- pick_documents() — claims due documents of one version, each with its token
--
-- Due by time alone: one that was planned need not have met maintenance before.

create or replace function pick_documents(
  par_queue varchar, par_version integer, par_limit integer, par_duration varchar
)
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
#variable_conflict use_column
declare
  v_queue queues;
  v_lock  interval := read_interval(par_duration);
  v_many  bigint;
begin
  select * into v_queue from queues where name = lower(par_queue);
  if not found or v_lock is null or par_version is null or par_limit < 0 then
    raise log 'fetchq: nothing was picked: queue %, version %, limit % or lock % is invalid',
      par_queue, par_version, par_limit, par_duration;
    return;
  end if;

  -- Nearly always no session listens and nothing is planned; preparing for both takes longer
  -- than the rest. What was planned since is promoted by itself.
  if not is_told(v_queue.config) and not exists (select from planned where queue = v_queue.name) then
    return query
      select picked.claim, picked.key::varchar, picked.payload, picked.version, picked.priority, picked.attempt,
             picked.iteration + coalesce(rounds.rejects, 0), picked.created_at, rounds.last_iteration,
             picked.lease_expires_at, null::timestamptz
      from claim(
        v_queue.name, coalesce(par_limit, 2147483647), caller(), greatest(v_lock, interval '1 microsecond'),
        '{document}', array[null]::text[], array[par_version], array[par_version]) as picked
      left join rounds on rounds.task = any (array[picked.id])
        and (picked.attempt > 1 or picked.iteration > 0 or picked.run_at <> picked.created_at)
      where picked.run_at = picked.created_at or promote(v_queue.name, picked.id);
    get diagnostics v_many = row_count;
    if v_many > 0 then
      insert into metrics_writes (created_at, queue, metric, increment)
      values (now(), v_queue.name, '@pick', v_many);
    end if;
    return;
  end if;

  return query
    with picked as materialized (
      select *
      from claim(
        v_queue.name, coalesce(par_limit, 2147483647), caller(), greatest(v_lock, interval '1 microsecond'),
        '{document}', array[null]::text[], array[par_version], array[par_version])
    ), promoted as materialized (
      -- What was pushed for now was never planned.
      select promote_documents(array_agg(picked.id) filter (where picked.run_at <> picked.created_at)) as many
      from picked
    ), counted as (
      insert into metrics_writes (created_at, queue, metric, increment)
      select now(), v_queue.name, change.metric, change.increment
      from (select count(*) as many, (select promoted.many from promoted) as promoted from picked) as number
      cross join lateral (values
        ('pkd', number.many), ('act', number.many), ('pnd', number.promoted - number.many), ('pln', -number.promoted)
      ) as change (metric, increment)
      where change.increment <> 0
    ), told as materialized (
      select tell(v_queue, 'act', variadic array_agg(picked.key))
      from picked
      having is_told(v_queue.config)
    )
    select picked.claim, picked.key::varchar, picked.payload, picked.version, picked.priority, picked.attempt,
           picked.iteration + coalesce(rounds.rejects, 0), picked.created_at, rounds.last_iteration,
           picked.lease_expires_at, null::timestamptz
    from picked
    -- Only what came back has a story.
    left join rounds on rounds.task = any (array[picked.id])
      and (picked.attempt > 1 or picked.iteration > 0 or picked.run_at <> picked.created_at)
    where (select count(*) from told) >= 0;
end;
$$;
