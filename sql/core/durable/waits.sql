-- What a task waits for, and how it goes to sleep without losing a wake-up.
--
-- One rule: to sleep, lock the task's row, then look; to wake, write first, then lock the row. The
-- one that comes second sees what the other wrote.
--
-- tasks.waits of a task that waits, with what applies of:
--
--   since    when it went to sleep
--   steps    the names of the steps it waits in
--   signals  the names of the signals that wake it
--   joins    [{"children": […], "left": 2, "mode": "all", "on_failure": "throw"}]
--   after    {"left": 2, "on_failure": "fail", "run_at": …}: tasks that have to end before it starts

-- never() — the run_at of a task that waits for no time
--
-- A time that every client can read, and the claim index never comes to.

create or replace function never()
  returns timestamptz
  language sql
  immutable
as $$
  select timestamptz '9999-12-31 00:00:00+00';
$$;

-- lock_held_task() — locks the row of a task that this claim holds, and refuses every other claim

create or replace function lock_held_task(p_id bigint, p_claim bigint)
  returns tasks
  language plpgsql
as $$
declare
  v_task tasks;
begin
  loop
    select * into v_task from tasks where id = p_id and claim = p_claim and size = 1 for no key update;
    exit when found;
    if not split_live_packs(array[p_id]) then
      perform require_held(p_id, p_claim, false);
    end if;
  end loop;
  return v_task;
end;
$$;

-- hold_task() — the same, for callers that may consume its queue

create or replace function hold_task(p_id bigint, p_claim bigint)
  returns tasks
  language plpgsql
as $$
declare
  v_task tasks := lock_held_task(p_id, p_claim);
begin
  if has_grants() then
    perform require_queues('consume', array[v_task.queue]);
  end if;
  return v_task;
end;
$$;

-- suspend_task() — running → waiting, for a caller that holds the row; or what is over already, and it runs on

create or replace function suspend_task(p_task tasks, p_waits jsonb)
  returns steps[]
  language plpgsql
as $$
declare
  v_now     timestamptz := clock_timestamp();
  v_wait    jsonb;
  v_result  record;
  v_over    steps[];
  v_until   timestamptz;
  v_signals text[] := '{}';
  v_joins   jsonb := '[]';
begin
  perform require_read_committed('suspend');
  perform check_waits(p_waits);
  for v_wait in select value from jsonb_array_elements(p_waits) loop
    v_result := wait_or_resolve(p_task, v_wait, v_now);
    v_over := v_over || v_result.resolved;
    v_until := least(v_until, v_result.until);
    v_signals := v_signals || v_result.signals;
    v_joins := v_joins || coalesce(v_result."join", '[]');
  end loop;
  if v_over is null then
    perform requeue(
      array[p_task.id], array[p_task.claim], 'renewed', array[coalesce(v_until, never())], null,
      array[jsonb_build_object(
        'since', v_now,
        'steps', (select coalesce(jsonb_agg(value ->> 'name'), '[]') from jsonb_array_elements(p_waits)
                  where value ? 'name'),
        'signals', to_jsonb(v_signals), 'joins', v_joins)]);
  end if;
  return v_over;
end;
$$;

-- wait_or_resolve() — evaluates one wait of a task whose row the caller holds
--
-- `resolved` has the steps that are over; without any, `waits` is what to store and `until` when it
-- is over by time.

create or replace function wait_or_resolve(
  p_task tasks, p_wait jsonb, p_now timestamptz,
  out resolved steps[], out signals text[], out "join" jsonb, out until timestamptz
)
  language plpgsql
as $$
declare
  v_step steps;
begin
  if p_wait ->> 'kind' = 'children' then
    select judged.resolved, judged."join" into resolved, "join" from judge_join(p_task, p_wait) as judged;
    return;
  end if;
  if p_wait ->> 'kind' = 'retry' then
    until := p_now + (p_wait ->> 'for')::interval;
    return;
  end if;
  v_step := open_wait(p_task.id, p_wait, p_now);
  if v_step.state = 'open' and v_step.kind = 'signal' then
    v_step := take_signal(p_task, v_step, coalesce(p_wait ->> 'signal', v_step.name), p_now);
  end if;
  if v_step.state = 'open' and v_step.until <= p_now then
    update steps set state = 'done', finished_at = p_now where task = p_task.id and name = v_step.name
    returning * into v_step;
  end if;
  if v_step.state = 'open' then
    until := v_step.until;
    signals := case when v_step.kind = 'signal' then array[coalesce(p_wait ->> 'signal', v_step.name)] end;
  else
    resolved := array[v_step];
  end if;
end;
$$;

-- open_wait() — the step of a delay or of a signal; made when the task comes to it first, with its end
--
-- So a delay ends when it was first said to, however often the task runs.

create or replace function open_wait(p_task bigint, p_wait jsonb, p_now timestamptz)
  returns steps
  language plpgsql
as $$
declare
  v_step  steps;
  v_until timestamptz := coalesce((p_wait ->> 'until')::timestamptz, p_now + (p_wait ->> 'for')::interval);
begin
  select * into v_step from steps where task = p_task and name = p_wait ->> 'name';
  if found then
    if v_step.kind <> p_wait ->> 'kind' then
      perform refuse_other_kind(p_task, v_step, p_wait ->> 'kind');
    end if;
    return v_step;
  end if;
  insert into steps (task, name, kind, state, until, started_at)
  values (p_task, p_wait ->> 'name', p_wait ->> 'kind', 'open', least(v_until, never()), p_now)
  returning * into v_step;
  return v_step;
end;
$$;

-- judge_join() — whether a join is over: its children as steps, or what to wait for

create or replace function judge_join(p_task tasks, p_wait jsonb, out resolved steps[], out "join" jsonb)
  language plpgsql
as $$
declare
  v_names text[] := array(select jsonb_array_elements_text(p_wait -> 'children'));
  v_mode  text := coalesce(p_wait ->> 'mode', 'all');
  v_fails text := coalesce(p_wait ->> 'on_failure', 'throw');
  v_rows  steps[];
  v_open  bigint;
  v_done  bigint;
  v_none  text;
begin
  select array_agg(step order by place), count(*) filter (where state = 'open'), count(*) filter (where state = 'done')
  into v_rows, v_open, v_done
  from steps as step
  where task = p_task.id and kind = 'child' and name = any (v_names);
  select min(given.name) into v_none from unnest(v_names) as given (name)
  where not exists (select from unnest(v_rows) as known where known.name = given.name);
  if v_none is not null then
    perform refuse('TK004', format('task %s has no child %L to join', p_task.id, left(v_none, 200)),
                   'Join what spawn() started in this task, by the name it was started with.');
  end if;
  if v_open = 0 or (
    case v_mode
      when 'all' then v_fails = 'throw' and v_open + v_done < cardinality(v_rows)
      when 'any' then v_done > 0
      else v_open < cardinality(v_rows)
    end)
  then
    resolved := v_rows;
  else
    "join" := jsonb_build_object(
      'children', to_jsonb(v_names), 'left', v_open, 'mode', v_mode, 'on_failure', v_fails);
  end if;
end;
$$;

-- check_waits() — refuses invalid waits

create or replace function check_waits(p_waits jsonb)
  returns void
  language plpgsql
as $$
declare
  v_wait jsonb;
  v_fault text;
begin
  if jsonb_typeof(p_waits) is distinct from 'array' or p_waits = '[]' then
    perform refuse('TK004', 'suspend() needs what the task waits for', 'Give [{"kind": "signal", "name": "paid"}].');
  end if;
  perform check_size('settings', 'what the task waits for', p_waits);
  for v_wait in select value from jsonb_array_elements(p_waits) loop
    begin
      v_fault := case
        when jsonb_typeof(v_wait) <> 'object' or coalesce(v_wait ->> 'kind', '') not in
             ('delay', 'signal', 'children', 'retry') then 'its kind must be delay, signal, children or retry'
        when v_wait ->> 'kind' = 'children' and (
               jsonb_typeof(v_wait -> 'children') is distinct from 'array' or v_wait -> 'children' = '[]')
          then 'it names no children'
        when v_wait ->> 'mode' not in ('all', 'any', 'race') then 'its mode must be all, any or race'
        when v_wait ->> 'on_failure' not in ('throw', 'collect') then 'its on_failure must be throw or collect'
        when v_wait ->> 'kind' in ('delay', 'signal') and coalesce(length(v_wait ->> 'name'), 0)
             not between 1 and bound('name') then format('its name must have 1 to %s characters', bound('name'))
        when length(v_wait ->> 'signal') not between 1 and bound('name')
          then format('the name of its signal must have 1 to %s characters', bound('name'))
        when v_wait ->> 'kind' in ('delay', 'retry') and num_nonnulls(v_wait ->> 'for', v_wait ->> 'until') = 0
          then 'it needs "for" or "until"'
        when not isfinite((v_wait ->> 'until')::timestamptz) then '"until" must be a finite time'
        when (v_wait ->> 'for')::interval not between interval '-1000 years' and interval '1000 years'
          then '"for" must be 1000 years or less'
      end;
    exception when data_exception then
      v_fault := sqlerrm;
    end;
    if v_fault is not null then
      perform refuse('TK004', format('the task cannot wait for %s: %s', left(v_wait::text, 200), v_fault),
                     'Nothing was changed.');
    end if;
  end loop;
end;
$$;

-- require_read_committed() — refuses a transaction that cannot see what was written since it began

create or replace function require_read_committed(p_verb text)
  returns void
  language plpgsql
as $$
begin
  if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    perform refuse('TK004', format('%s() must run at isolation level read committed', p_verb),
                   'A transaction with an older snapshot would miss what the task waits for.');
  end if;
end;
$$;

-- refuse_other_kind() — a name that a step of another kind has already

create or replace function refuse_other_kind(p_task bigint, p_step steps, p_kind text)
  returns void
  language plpgsql
as $$
begin
  perform refuse('TK004', format('task %s uses the name %L as a %s, and now as a %s', p_task, p_step.name,
                                 p_step.kind, p_kind),
                 'Each step, delay, signal and child of a task needs a name of its own.');
end;
$$;
