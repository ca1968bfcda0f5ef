-- end_attempts() — running → queued | failed, after attempts that did not succeed
--
-- Writes each attempt down, then sends its task back to the queue, at the time or by the
-- delay given or else by its backoff, or to failed when no attempt is left, p_retries
-- says that none would help, or its backoff is never: then only an attempt that was
-- lost (p_keeps_place) is followed by another. Answers with what became of each.

create or replace function end_attempts(
  p_ids         bigint[],
  p_claims      bigint[],
  p_reasons     text[],
  p_errors      jsonb[],
  p_started_ats timestamptz[],
  p_retries     boolean[],
  p_delays      interval[],
  p_keeps_place boolean,
  p_run_ats     timestamptz[] default null
)
  returns table (id bigint, state text, run_at timestamptz)
  language plpgsql
as $$
#variable_conflict use_column
declare
  v_now    timestamptz := clock_timestamp();
  v_again  bigint[];
  v_tokens bigint[];
  v_times  timestamptz[];
  v_over   bigint[];
  v_claims bigint[];
  v_reason text[];
  v_errors jsonb[];
  v_starts timestamptz[];
  v_begun  timestamptz[];
  v_groups text[];
  v_long   bigint[];
begin
  with held as materialized (
    select tasks.id, tasks.claim, tasks.queue, tasks.groups, tasks.iteration, tasks.attempt, p_reasons[i] as reason, cut_error(p_errors[i]) as error,
           claims.worker, coalesce(likely_time(p_started_ats[i]), tasks.started_at, claims.claimed_at) as began_at,
           coalesce(p_retries[i], true)
             and tasks.attempt < coalesce(tasks.max_attempts, own.max_attempts, common.max_attempts)
             and (p_keeps_place or coalesce(tasks.backoff, own.backoff, common.backoff) ->> 'kind' <> 'never') as retries,
           case when not p_keeps_place then
             coalesce(p_run_ats[i], v_now + coalesce(
               p_delays[i], backoff_delay(coalesce(tasks.backoff, own.backoff, common.backoff), tasks.attempt)))
           end as run_at
    from (
      -- A task that is named twice ends once, by the first word about it.
      select distinct on (p_ids[i], p_claims[i]) p_ids[i] as id, p_claims[i] as claim, i
      from generate_subscripts(p_ids, 1) as i
      order by p_ids[i], p_claims[i], i
    ) as told
    join tasks on tasks.id = any (array[told.id]) and tasks.claim = told.claim
    join queues as common on common.name = '*'
    left join queues as own on own.name = tasks.queue
    left join claims on claims.id = tasks.claim
    order by told.id
    for no key update of tasks
  ), noted as (
    insert into attempts (task, iteration, attempt, started_at, ended_at, worker, reason, error)
    select held.id, held.iteration, held.attempt, held.began_at, v_now, held.worker, held.reason, held.error from held
  ), told as (
    insert into failures (at, queue, task, reason, code, message)
    select v_now, held.queue, held.id, held.reason, error_code(held.error), left(error_message(held.error), 1000) from held
  )
  select array_agg(held.id) filter (where retries), array_agg(held.claim) filter (where retries),
         array_agg(held.run_at) filter (where retries), array_agg(held.began_at) filter (where retries),
         array_agg(held.id) filter (where not retries), array_agg(held.claim) filter (where not retries),
         array_agg(held.reason) filter (where not retries), array_agg(held.error) filter (where not retries),
         array_agg(held.began_at) filter (where not retries),
         array_agg((held.groups || ('@' || held.queue))::text), array_agg(held.id) filter (where held.iteration > 0)
  into v_again, v_tokens, v_times, v_begun, v_over, v_claims, v_reason, v_errors, v_starts, v_groups, v_long
  from held;
  if v_long is not null then
    perform forget_attempts(v_long);
  end if;

  -- Two ways out of here, one after the other: what both will need is locked first.
  if v_again is not null and v_over is not null then
    perform from claims where id = any (v_tokens || v_claims) order by id for update skip locked;
    perform lock_groups(
      array(
        select distinct given.name
        from unnest(v_groups) as held (names)
        cross join lateral unnest(held.names::text[]) as given (name)
        where left(given.name, 1) <> '@' or exists (select from queues where is_counted and name = substr(given.name, 2))
      ), v_now);
  end if;
  if v_again is not null then
    perform requeue(v_again, v_tokens, 'kept', v_times, v_begun);
  end if;
  if v_over is not null then
    perform finish(v_over, v_claims, 'failed', v_reason, null, v_errors, v_starts);
  end if;

  return query
    select again.id, 'queued', coalesce(again.run_at, v_now) from unnest(v_again, v_times) as again (id, run_at)
    union all
    select over.id, 'failed', null from unnest(v_over) as over (id);
end;
$$;
