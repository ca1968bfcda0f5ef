-- Why a task waits.
--
-- Every rule is asked of the function that claims ask: queue_rules(), group_room() and
-- can_run(). A reason has a code that stays the same, a sentence, a hint, and the values as data.

-- explain_row() — why a task of this row waits, the reason to look at first before the others
--
-- p_place is the place of the task in its pack, from 0. A task that runs has no reason. States
-- in which a task waits for something else than a worker get a function of their own, which
-- goes first and stands alone, as explain_time() does for tasks whose time has not come.

create or replace function explain_row(p_row tasks, p_place integer, p_now timestamptz)
  returns setof wait_reason
  language plpgsql
  stable
as $$
declare
  v_rules  record;
  v_found  wait_reason[];
  v_limits wait_reason[];
begin
  if p_row.claim is not null then
    return;
  end if;
  if p_row.waits is not null and p_row.run_at > p_now then
    return query select (explain_waiting(p_row)).*;
    return;
  end if;
  select * into v_rules from queue_rules(p_row.queue);
  v_found := explain_time(p_row, v_rules.max_attempts, p_now)
    || explain_pauses(p_row, v_rules.paused_at) || explain_workers(p_row, p_now);
  if p_row.run_at <= p_now then
    v_limits := explain_limits(p_row, v_rules.is_counted, v_rules.group_max_running, p_now);
    v_found := v_found || v_limits || explain_line(p_row, p_place, v_found || v_limits = '{}', p_now);
  end if;
  return query select (reason).* from unnest(v_found) as reason;
end;
$$;

-- explain_time() — whether a task waits for its time, or has missed its deadline
--
-- park_tasks() dates a task for the next start of its group. Such a task is rate limited.

create or replace function explain_time(p_row tasks, p_max_attempts integer, p_now timestamptz)
  returns wait_reason[]
  language plpgsql
  stable
as $$
declare
  v_group text;
  v_data  jsonb := jsonb_build_object('until', p_row.run_at);
begin
  if p_row.deadline <= p_now then
    return array[row(
      'deadline_passed', format('its deadline was %s', show_time(p_row.deadline)),
      'The chore expire fails it. Check that a worker with chores runs.',
      jsonb_build_object('deadline', p_row.deadline))::wait_reason];
  end if;
  if p_row.run_at <= p_now then
    return '{}';
  end if;
  v_group := (
    select name from groups
    where name = any (p_row.groups || ('@' || p_row.queue)) and next_start_at = p_row.run_at
    order by name
    limit 1);
  if v_group is not null then
    return array[rate_limit_reason(v_group, p_row.run_at)];
  end if;
  if p_row.attempt = 0 then
    return array[row('not_due', format('not due until %s', show_time(p_row.run_at)), null, v_data)::wait_reason];
  end if;
  p_max_attempts := coalesce(p_row.max_attempts, p_max_attempts);
  return array[row(
    'retrying',
    format('attempt %s of %s failed; next try at %s', p_row.attempt, p_max_attempts, show_time(p_row.run_at)),
    null, v_data || jsonb_build_object('attempt', p_row.attempt, 'max_attempts', p_max_attempts))::wait_reason];
end;
$$;

-- explain_pauses() — whether the queue of a task or one of its groups is paused

create or replace function explain_pauses(p_row tasks, p_paused_at timestamptz)
  returns wait_reason[]
  language sql
  stable
as $$
  select array(
    select row(
      'queue_paused', format('queue %s is paused since %s', p_row.queue, show_time(p_paused_at)),
      format('Resume it: tusk queue resume %s', p_row.queue),
      jsonb_build_object('queue', p_row.queue, 'since', p_paused_at))::wait_reason
    where p_paused_at is not null
    union all
    (select row(
      'group_paused', format('group %s is paused since %s', name, show_time(paused_at)),
      format('Resume it: tusk group resume %s', quote_for_shell(name)),
      jsonb_build_object('group', name, 'since', paused_at))::wait_reason
    from groups
    where name = any (p_row.groups) and paused_at is not null
    order by name));
$$;

-- explain_workers() — whether a worker serves the queue of a task, and can run the task
--
-- Workers that claim with SQL of their own need not register: those that hold a claim of the
-- queue count as serving it.

create or replace function explain_workers(p_row tasks, p_now timestamptz)
  returns wait_reason[]
  language plpgsql
  stable
as $$
declare
  v_data     jsonb := jsonb_build_object('queue', p_row.queue);
  v_workers  integer;
  v_able     integer;
  v_versions text;
begin
  select count(*), count(*) filter (where can_run(p_row.kind, p_row.handler, p_row.version, kinds, handlers,
                                                  versions_from, versions_to)),
         string_agg(distinct case
           when p_row.kind = 'handler'
           then versions_from[array_position(handlers, p_row.handler)] || '–'
             || versions_to[array_position(handlers, p_row.handler)] end, ', ')
  into v_workers, v_able, v_versions
  from serving_workers(p_row.queue, p_now);
  if v_able > 0 or exists (
    select from claims
    where claims.queue = p_row.queue and expires_at > p_now
      and not exists (select from workers where workers.id = claims.worker)
  ) then
    return '{}';
  end if;
  if v_workers = 0 then
    return array[row(
      'no_worker', format('no worker serves queue %s', p_row.queue),
      'Start a worker with this queue, or check its spelling.', v_data)::wait_reason];
  end if;
  v_data := v_data || jsonb_build_object('kind', p_row.kind, 'handler', p_row.handler, 'workers', v_workers);
  if p_row.kind <> 'handler' then
    return array[row(
      'no_runner', format('no worker of queue %s runs tasks of kind %s', p_row.queue, p_row.kind),
      case p_row.kind when 'sql' then 'Start a worker with sql: true, or tusk work --sql.' end,
      v_data)::wait_reason];
  end if;
  if v_versions is null then
    return array[row(
      'no_handler', format('no worker of queue %s has the handler %s', p_row.queue, p_row.handler),
      'Start a worker that defines it, or check its spelling.', v_data)::wait_reason];
  end if;
  return array[row(
    'no_version',
    format('no worker of queue %s takes version %s of handler %s (they take %s)', p_row.queue, p_row.version,
           p_row.handler, v_versions),
    'Deploy workers that take this version.',
    v_data || jsonb_build_object('version', p_row.version, 'versions', v_versions))::wait_reason];
end;
$$;

-- serving_workers() — the workers that claim from a queue: those that gave a sign lately and do not drain
--
-- As long as forget_workers() lets a worker be silent.

create or replace function serving_workers(p_queue text, p_now timestamptz)
  returns setof workers
  language sql
  stable
as $$
  select * from workers
  where p_queue = any (queues) and draining_at is null and beat_at > p_now - interval '1 minute';
$$;

-- show_time() — a time in a sentence, the same in every session

create or replace function show_time(p_time timestamptz)
  returns text
  language sql
  immutable
as $$
  select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
$$;

-- quote_for_shell() — a name as an argument of a command

create or replace function quote_for_shell(p_name text)
  returns text
  language sql
  immutable
as $$
  select case when p_name ~ '^[A-Za-z0-9_./:@-]+$' then p_name
              else '''' || replace(p_name, '''', e'\'\\\'\'') || '''' end;
$$;
