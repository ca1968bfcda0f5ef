-- The settings of a queue over the defaults, and how verbs are planned.

-- queue_rules() — the settings of a queue, with everything it leaves open taken from '*'
--
-- The one place that lays a queue's settings over the defaults. One statement, so that
-- Postgres inlines it into the statement that asks, which then reads two rows of queues and
-- nothing else. `is_followed` is true until the end of a transaction in which it was.

create or replace function queue_rules(p_queue text)
  returns table (
    paused_at         timestamptz,
    is_counted        boolean,
    is_fair           boolean,
    keeps_keys        boolean,
    is_followed       boolean,
    has_grants        boolean,
    packs             boolean,
    max_attempts      integer,
    max_payload       integer,
    group_max_running integer,
    keep_done         interval,
    keep_failed       interval,
    keep_cancelled    interval,
    backoff           jsonb,
    on_lost           text,
    timeout           interval,
    sql_max_rows      integer,
    sql_max_bytes     integer
  )
  language sql
  stable
as $$
  select own.paused_at,
         coalesce(own.is_counted, false),
         coalesce(own.is_fair, false),
         coalesce(own.keeps_keys, false),
         coalesce(own.records_events, false) or coalesce(common.followed_until > now(), false),
         common.has_grants,
         coalesce(own.packs, common.packs),
         coalesce(own.max_attempts, common.max_attempts),
         coalesce(own.max_payload, common.max_payload),
         coalesce(own.group_max_running, common.group_max_running),
         coalesce(own.keep_done, common.keep_done),
         coalesce(own.keep_failed, common.keep_failed),
         coalesce(own.keep_cancelled, common.keep_cancelled),
         coalesce(own.backoff, common.backoff),
         coalesce(own.on_lost, common.on_lost),
         coalesce(own.timeout, common.timeout),
         coalesce(own.sql_max_rows, common.sql_max_rows),
         coalesce(own.sql_max_bytes, common.sql_max_bytes)
  from queues as common
  left join queues as own on own.name = p_queue
  where common.name = '*';
$$;

-- initial_settings() — what the row '*' says in a new schema
--
-- So that read_settings() can tell a default from what was set for all queues.

create or replace function initial_settings()
  returns jsonb
  language sql
  immutable
as $$
  select '{"packs": true, "max_attempts": 5, "max_payload": 262144, "keep_done": "7 days", "keep_failed": "7 days",
           "keep_cancelled": "7 days", "on_lost": "retry",
           "backoff": {"kind": "exponential", "base": "1 second", "cap": "1 hour", "jitter": 0}}'::jsonb;
$$;

-- check_queue() — refuses what cannot be the name of a queue

create or replace function check_queue(p_queue text)
  returns void
  language plpgsql
as $$
begin
  if coalesce(p_queue, '') in ('', '*') or left(p_queue, 1) = '@' or length(p_queue) > bound('name') then
    perform refuse('TK004', format('%L is not the name of a queue', left(p_queue, 300)),
                   'A name has 1 to 200 characters, is not * and does not begin with @.');
  end if;
end;
$$;

-- known_queues() — the names of all queues: those with settings, tasks, a schedule, a grant or a worker
--
-- A queue needs no creation, so a name that none of these has is most often a misspelt one.

create or replace function known_queues()
  returns setof text
  language sql
  stable
as $$
  select name from queues where name <> '*'
  union
  select queue from lanes
  union
  select queue from totals where queue <> '*'
  union
  select queue from deltas
  union
  select task ->> 'queue' from schedules
  union
  select queue from queue_grants where right(queue, 1) <> '*'
  union
  select unnest(queues) from workers;
$$;

-- require_queue() — refuses a queue that does not exist; says which one is like it

create or replace function require_queue(p_queue text)
  returns void
  language plpgsql
as $$
begin
  if exists (select from queues where name = p_queue) or p_queue in (select known_queues()) then
    return;
  end if;
  perform refuse(
    'TK015', format('there is no queue %L', p_queue),
    concat_ws(
      ' ',
      'Did you mean ' || suggest_word(p_queue, array(
        select name
        from known_queues() as name
        where sees_all() or may_use('operate', name, submitter())
        order by name
        limit 1000)) || '?',
      format('To create it, call set_queue(%L, ''{}'').', p_queue)));
end;
$$;

-- apply_queue_settings() — a queue's row with new settings, refused if they make no sense

create or replace function apply_queue_settings(p_queue queues, p_settings jsonb)
  returns queues
  language plpgsql
as $$
declare
  v_fault text := unfit_setting(p_queue, p_settings);
  v_new   queues := jsonb_populate_record(p_queue, case when v_fault is null then p_settings end);
begin
  if v_fault is null and p_settings ->> 'backoff' is not null then
    v_fault := backoff_fault(p_settings -> 'backoff');
  end if;
  v_new.is_fair := coalesce(v_new.is_fair, false);
  v_new.keeps_keys := coalesce(v_new.keeps_keys, false);
  v_new.records_events := coalesce(v_new.records_events, false);
  v_fault := coalesce(v_fault, case
    when v_new.max_attempts < 1 then 'max_attempts must be 1 or more'
    when v_new.max_payload < 1 then 'max_payload must be 1 byte or more'
    when v_new.group_max_running < 1 then 'group_max_running must be 1 or more'
    when least(v_new.keep_done, v_new.keep_failed, v_new.keep_cancelled) < interval '0'
      then 'keep_done, keep_failed and keep_cancelled must not be negative'
    when greatest(v_new.keep_done, v_new.keep_failed, v_new.keep_cancelled) > interval '1000 years'
      then 'keep_done, keep_failed and keep_cancelled must be 1000 years or less'
    when v_new.timeout <= interval '0' or v_new.timeout > interval '1000 years'
      then 'timeout must be longer than 0, and 1000 years or less'
    when v_new.sql_max_rows not between 0 and 1000000 then 'sql_max_rows must be a number from 0 to 1000000'
    when v_new.sql_max_bytes not between 0 and 15000000 then 'sql_max_bytes must be a number from 0 to 15000000'
    when v_new.on_lost not in ('retry', 'fail') then format('on_lost %L is unknown; use retry or fail', v_new.on_lost)
    when p_queue.name = '*' and (
      v_new.max_attempts is null or v_new.max_payload is null or v_new.keep_done is null or v_new.keep_failed is null
      or v_new.keep_cancelled is null or v_new.backoff is null or v_new.on_lost is null or v_new.packs is null
    ) then 'the queue * is where defaults come from; it cannot go without'
    when p_queue.name = '*' and (v_new.is_fair or v_new.keeps_keys or v_new.records_events)
      then 'is_fair, keeps_keys and records_events belong to one queue each'
  end);
  if v_fault is not null then
    perform refuse('TK004', format('invalid settings of queue %s: %s', p_queue.name, v_fault), 'Nothing was changed.');
  end if;
  return v_new;
end;
$$;

-- pin_plan_settings() — makes every verb plan its statements once, and by index
--
-- The tables of a queue are empty one minute and hold millions the next, so
-- statistics mislead: a plan made on the empty table would read it from end to
-- end. Nothing is compiled: a call takes less than a compilation. Set on the verbs;
-- the parts they call run under the same settings.

create or replace function pin_plan_settings()
  returns void
  language plpgsql
as $$
declare
  v_verb    regprocedure;
  v_setting text;
begin
  for v_verb in
    select oid from pg_proc where pronamespace = quote_ident(current_schema())::regnamespace and prosecdef
  loop
    execute format('alter function %s set plan_cache_mode = force_generic_plan', v_verb);
    foreach v_setting in array array['enable_seqscan', 'enable_bitmapscan', 'enable_indexonlyscan', 'enable_hashjoin',
                                     'enable_mergejoin', 'jit'] loop
      execute format('alter function %s set %I = off', v_verb, v_setting);
    end loop;
  end loop;
end;
$$;
