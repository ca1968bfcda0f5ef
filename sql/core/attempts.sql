-- Attempts that did not succeed, and when the next one comes.

-- end_attempts() — running → queued | failed, after attempts that did not succeed
--
-- Writes each attempt down, then sends its task back to the queue, at the time or by the
-- delay given or else by its backoff, or to failed when no attempt is left, p_retries
-- says that none would help, its SQL can never succeed (is_permanent()), or its backoff is
-- never: then only an attempt that was lost (p_keeps_place) is followed by another. Answers
-- with what became of each.

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
  v_now  timestamptz := clock_timestamp();
  v_told record;
begin
  perform split_live_packs(p_ids);
  with held as materialized (
    -- By an alias: claims has a column named tasks.
    select task, task.id, task.claim, task.queue, task.groups, p_reasons[i] as reason,
           truncate_error(p_errors[i]) as error, claims.worker,
           coalesce(plausible_time(p_started_ats[i]), task.started_at, claims.claimed_at) as began_at,
           coalesce(p_retries[i], true)
             and task.attempt < coalesce(task.max_attempts, rules.max_attempts)
             and (p_keeps_place or coalesce(task.backoff, rules.backoff) ->> 'kind' <> 'never')
             and not (task.kind = 'sql' and is_permanent(p_errors[i])
                      and coalesce(task.backoff, rules.backoff) ->> 'on_permanent' is distinct from 'retry')
             as retries,
           case when not p_keeps_place then
             coalesce(p_run_ats[i], v_now + coalesce(
               p_delays[i], backoff_delay(coalesce(task.backoff, rules.backoff), task.attempt)))
           end as run_at
    from (
      -- A task that is named twice ends once, by the first word about it.
      select distinct on (p_ids[i], p_claims[i]) p_ids[i] as id, p_claims[i] as claim, i
      from generate_subscripts(p_ids, 1) as i
      order by p_ids[i], p_claims[i], i
    ) as told
    join tasks as task on task.id = any (array[told.id]) and task.claim = told.claim
    cross join lateral queue_rules(task.queue) as rules
    left join claims on claims.id = task.claim
    order by told.id
    for no key update of task
  )
  select array_agg(task) as tasks, array_agg(worker) as workers, array_agg(began_at) as begun,
         array_agg(reason) as reasons,
         array_agg(error) as errors, array_agg((groups || ('@' || queue))::text) as groups,
         array_agg(id) filter (where retries) as again_ids, array_agg(claim) filter (where retries) as again_claims,
         array_agg(run_at) filter (where retries) as run_ats, array_agg(began_at) filter (where retries) as again_begun,
         array_agg(id) filter (where not retries) as over_ids,
         array_agg(claim) filter (where not retries) as over_claims,
         array_agg(reason) filter (where not retries) as over_reasons,
         array_agg(error) filter (where not retries) as over_errors,
         array_agg(began_at) filter (where not retries) as over_begun
  into v_told
  from held;
  if v_told.tasks is null then
    return;
  end if;
  perform record_attempts(v_told.tasks, v_told.workers, v_told.begun, v_told.reasons, v_told.errors, v_now);

  -- Two ways out of here, one after the other: what both will need is locked first.
  if v_told.again_ids is not null and v_told.over_ids is not null then
    perform from claims where id = any (v_told.again_claims || v_told.over_claims) order by id for update skip locked;
    perform lock_groups(
      array(
        select distinct given.name
        from unnest(v_told.groups) as held (names)
        cross join lateral unnest(held.names::text[]) as given (name)
        where left(given.name, 1) <> '@'
          or exists (select from queues where is_counted and name = substr(given.name, 2))
      ), v_now, p_counts => false);
  end if;
  if v_told.again_ids is not null then
    perform requeue(v_told.again_ids, v_told.again_claims, 'kept', v_told.run_ats, v_told.again_begun);
  end if;
  if v_told.over_ids is not null then
    perform end_tasks(
      v_told.over_ids, v_told.over_claims, 'failed', v_told.over_reasons, null, v_told.over_errors, v_told.over_begun);
  end if;

  return query
    select again.id, 'queued', coalesce(again.run_at, v_now)
    from unnest(v_told.again_ids, v_told.run_ats) as again (id, run_at)
    union all
    select over.id, 'failed', null from unnest(v_told.over_ids) as over (id);
end;
$$;

-- record_attempts() — writes down attempts that did not succeed, one per task

create or replace function record_attempts(
  p_tasks tasks[], p_workers text[], p_begun timestamptz[], p_reasons text[], p_errors jsonb[], p_now timestamptz
)
  returns void
  language plpgsql
as $$
begin
  -- By subscript: to unnest rows of 33 columns for five of them takes longer to prepare than the rest.
  insert into attempts (task, iteration, attempt, started_at, ended_at, worker, reason, error)
  select (p_tasks[i]).id, (p_tasks[i]).iteration, (p_tasks[i]).attempt, p_begun[i], p_now, p_workers[i], p_reasons[i],
         p_errors[i]
  from generate_subscripts(p_tasks, 1) as i;
  insert into failures (at, queue, task, reason, code, message)
  select p_now, (p_tasks[i]).queue, (p_tasks[i]).id, p_reasons[i], error_code(p_errors[i]),
         left(error_message(p_errors[i]), 1000)
  from generate_subscripts(p_tasks, 1) as i;
  if (p_tasks[1]).iteration > 0 or cardinality(p_tasks) > 1 then
    perform trim_attempts(p_tasks);
  end if;
end;
$$;

-- trim_attempts() — of rounds that are over, only the latest hundred attempts stay with a task
--
-- One that is rescheduled again and again may live for ever, and no sweep meets it: it would
-- keep every attempt that ever failed, and be slower to end with each.

create or replace function trim_attempts(p_tasks tasks[])
  returns void
  language plpgsql
as $$
declare
  c_enough constant integer := 100;
begin
  delete from attempts
  using (
    select task.id, task.iteration, latest.ended_at
    from unnest(p_tasks) as task
    cross join lateral (
      select known.ended_at from attempts as known
      where known.task = any (array[task.id])
      order by known.ended_at desc
      offset c_enough - 1
      limit 1
    ) as latest
    where task.iteration > 0
  ) as long
  where attempts.task = any (array[long.id])
    and attempts.ended_at < long.ended_at
    and attempts.iteration < long.iteration;
end;
$$;

-- check_reasons() — refuses a reason that only the engine may give

create or replace function check_reasons(p_reasons text[])
  returns void
  language plpgsql
as $$
declare
  v_other text;
begin
  -- No statement where there is nothing to refuse.
  if p_reasons <@ '{error,timeout}' then
    return;
  end if;
  select given.reason into v_other
  from unnest(p_reasons) as given (reason)
  where given.reason is null or given.reason not in ('error', 'timeout')
  limit 1;
  if found then
    perform refuse('TK004', format('unknown reason %L of a failed attempt', v_other),
                   'Give error or timeout; reject() and kill() have reasons of their own.');
  end if;
end;
$$;
