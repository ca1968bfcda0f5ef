-- Steps: checkpoints that a task stores, and forgets.

-- store_steps() — stores checkpoints for the holders of claims; one element per step
--
-- A step that is done stays as it is: a worker that did not hear the answer says it again. Rows of tasks are
-- held until commit: a rescue or a cancel comes before or after, never between. Answers with the ids of tasks
-- that their claims do not hold. A null id is passed by.
--
-- One statement, planned once: it is what every step of every task costs. A join would be planned by the size that the
-- tables had then.

create or replace function store_steps(
  p_ids bigint[], p_claims bigint[], p_names text[], p_outputs jsonb[], p_errors jsonb[], p_states text[],
  p_kinds text[], p_started_ats timestamptz[]
)
  returns bigint[]
  language plpgsql
as $$
declare
  v_now  timestamptz := clock_timestamp();
  v_lost bigint[];
begin
  with given as materialized (
    select distinct on (id, name) id, claim, name, output, error, state, kind, started_at, place
    from unnest(p_ids, p_claims, p_names, p_outputs, p_errors, p_states, p_kinds, p_started_ats)
      with ordinality as each (id, claim, name, output, error, state, kind, started_at, place)
    where id is not null
    order by id, name, place
  ), judged as materialized (
    select given.*, held.id is not null as is_held
    from given
    left join lateral (
      select tasks.id from tasks
      where tasks.id = any (array[given.id]) and tasks.claim = given.claim and tasks.size = 1
      for no key update
    ) as held on true
  ), stored as (
    insert into steps (task, name, kind, state, attempt, started_at, finished_at, output, error)
    select id, name, coalesce(kind, 'step'), coalesce(state, 'done'), 1, coalesce(plausible_time(started_at), v_now),
           v_now, output, case when error is not null then truncate_error(error) end
    from judged
    where is_held
    order by place
    on conflict (task, name) do update
      set state       = excluded.state,
          attempt     = steps.attempt + 1,
          finished_at = excluded.finished_at,
          output      = excluded.output,
          error       = excluded.error
      where steps.kind = excluded.kind and steps.state = 'retrying'
  )
  select array_agg(distinct id) filter (where not is_held) into v_lost from judged;
  return coalesce(v_lost, '{}');
end;
$$;

-- check_steps() — refuses steps that cannot be stored, and says which

create or replace function check_steps(p_names text[], p_outputs jsonb[])
  returns void
  language plpgsql
as $$
declare
  v_place integer;
  v_name  text;
begin
  -- Not one by one: every step of every task comes by here.
  if (select bool_or((length(name) between 1 and bound('name')) is not true) from unnest(p_names) as name) then
    foreach v_name in array p_names loop
      perform check_name('a step', v_name);
    end loop;
  end if;
  if pg_column_size(p_outputs) > bound('checkpoint') then
    select i into v_place from generate_subscripts(p_outputs, 1) as i
    where pg_column_size(p_outputs[i]) > bound('checkpoint') limit 1;
    if found then
      perform refuse('TK005',
                     format('the result of step %L has %s bytes, at most %s can be stored', p_names[v_place],
                            pg_column_size(p_outputs[v_place]), bound('checkpoint')),
                     'Store the data elsewhere and return a reference to it from the step.');
    end if;
  end if;
end;
$$;

-- forget_steps() — forgets a step of a task and everything after it; all of them when p_from is null
--
-- For retry(). Signals that they had received come back, and children that they had started and
-- that still live are cancelled. With p_failed_only, only steps that failed for good are forgotten.

create or replace function forget_steps(p_id bigint, p_from text, p_failed_only boolean default false)
  returns void
  language plpgsql
as $$
declare
  v_first bigint := 0;
  v_gone  steps[];
begin
  if p_from is not null then
    select place into v_first from steps where task = p_id and name = p_from;
    if not found then
      perform refuse('TK004', format('task %s has no step %L', p_id, left(p_from, 200)), coalesce(
        'Its steps are ' || (select string_agg(format('%L', name), ', ' order by place) from (
          select name, place from steps where task = p_id order by place limit 20) as known) || '.',
        'It has stored no step.'));
    end if;
  end if;
  with gone as (
    delete from steps
    where task = p_id and place >= v_first and (not p_failed_only or state in ('failed', 'retrying'))
    returning steps
  )
  select array_agg(steps) into v_gone from gone;
  if v_gone is null then
    return;
  end if;
  delete from awaits where waiter = p_id and name = any (array(select name from unnest(v_gone)));
  perform return_signals(v_gone);
  perform cancel_tasks(array(select child from unnest(v_gone) where kind = 'child' and not is_detached
                               and state = 'open'));
end;
$$;

-- delete_durable_traces() — removes steps, signals, streams and waits of tasks that are not kept

create or replace function delete_durable_traces(p_ids bigint[])
  returns void
  language plpgsql
as $$
begin
  -- One statement where there is nothing, as for tasks that are not durable.
  if not (exists (select from steps) or exists (select from chunks) or exists (select from awaits)
          or exists (select from signals where task is not null)) then
    return;
  end if;
  if exists (select from steps) then
    delete from steps where task = any (p_ids);
  end if;
  if exists (select from chunks) then
    delete from chunks where task = any (p_ids);
  end if;
  if exists (select from signals where task is not null) then
    delete from signals where task = any (p_ids);
  end if;
  if exists (select from awaits) then
    delete from awaits where waiter = any (p_ids);
  end if;
end;
$$;
