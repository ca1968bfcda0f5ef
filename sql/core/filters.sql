-- What tasks may be searched by, and which index answers.

-- read_filter() — a filter of tasks as it was written, checked
--
-- Refused is what is invalid: an unknown name, a state that no task is ever
-- in, a value that cannot be read. Nothing is left out in silence, because what is done to
-- all that match is often not to be undone.

create or replace function read_filter(p_filter jsonb)
  returns task_filter
  language plpgsql
  stable
as $$
declare
  c_states  constant text[] := '{waiting,scheduled,retrying,blocked,ready,running,done,failed,cancelled}';
  v_names   text[] := filter_names();
  v_unknown text;
  v_want    task_filter;
begin
  if jsonb_typeof(p_filter) is distinct from 'object' then
    perform refuse('TK004', 'a filter must be a JSON object',
                   'Write {"queue": "mail", "states": ["failed"]}; {} is all.');
  end if;
  select min(given.name) into v_unknown from jsonb_object_keys(p_filter) as given (name)
  where given.name <> all (v_names);
  if v_unknown is not null then
    perform refuse('TK004', format('unknown property %L in the filter', v_unknown),
                   concat_ws(' ', 'Did you mean ' || suggest_word(v_unknown, v_names) || '?',
                             format('Give an object with any of %s.', array_to_string(v_names, ', '))));
  end if;
  begin
    v_want := jsonb_populate_record(null::task_filter, p_filter);
  exception
    when data_exception or datatype_mismatch then
      perform refuse('TK004', format('the filter is invalid: %s', sqlerrm),
                     'Write times as Postgres reads them, and states and ids as arrays.');
  end;
  select min(given.state) into v_unknown from unnest(v_want.states) as given (state)
  where given.state <> all (c_states);
  if v_unknown is not null or array_position(v_want.states, null) is not null then
    perform refuse('TK004', format('unknown state %s', coalesce(v_unknown, 'null')),
                   concat_ws(' ', 'Did you mean ' || suggest_word(v_unknown, c_states) || '?',
                             format('The states are %s.', array_to_string(c_states, ', '))));
  end if;
  return v_want;
end;
$$;

-- filter_names() — what tasks may be looked for by

create or replace function filter_names()
  returns text[]
  language sql
  stable
as $$
  select array_agg(attname::text order by attnum)
  from pg_attribute
  where attrelid = 'task_filter'::regclass and attnum > 0 and not attisdropped;
$$;

-- find_tasks_by_index() — the only tasks that can match a filter, if there is an index that names them
--
-- The newest first; none, if what is blocked is asked for and nothing can be. Null when there
-- is not an index for it: then the tables have to be searched.

create or replace function find_tasks_by_index(
  p_want task_filter, p_workers text[], p_shut text[], p_busy text[], p_before bigint
)
  returns bigint[]
  language plpgsql
  stable
as $$
begin
  if p_want.ids is not null then
    return array(select distinct id from unnest(p_want.ids) as given (id) where id < p_before order by id desc);
  end if;
  if p_want.key is not null then
    return array(
      select distinct named.id
      from (
        select keys.task
        from (select distinct queue from lanes) as known
        join keys on keys.queue = any (array[known.queue]) and keys.key = p_want.key
        union all
        select id from tasks where key = p_want.key and frees_key
        union all
        select id from finished where key = p_want.key
        -- To be found by key, whatever is asked of the id.
        offset 0
      ) as named (id)
      where named.id < p_before
      order by named.id desc);
  end if;
  if p_want.states = '{running}' then
    return array(
      select distinct held.id
      from claims
      cross join lateral unnest(claimed_ids(claims)) as held (id)
      where held.id < p_before and (p_workers is null or claims.worker = any (p_workers))
        and (p_want.queue is null or claims.queue = p_want.queue)
      order by held.id desc);
  end if;
  if p_want.states = '{blocked}' and p_shut = '{}' and p_busy = '{}'
     and not exists (select from tasks where parked_on is not null) then
    return '{}';
  end if;
  return null;
end;
$$;

-- find_busy_groups() — the groups that may keep a task of theirs from starting now
--
-- A task of no other group is ready when it is due. Whether one of these has room for a certain
-- task depends on that task too; the view task tells.

create or replace function find_busy_groups()
  returns text[]
  language sql
  stable
as $$
  select coalesce(array_agg(name), '{}')
  from groups
  where left(name, 1) <> '@'
    and (running > 0 or max_running = 0 or paused_at is not null or next_start_at > clock_timestamp());
$$;

-- find_closed_queues() — the queues of which nothing can start now
--
-- As the view task has it: paused, full, or waiting for their gap or rate.

create or replace function find_closed_queues()
  returns text[]
  language sql
  stable
as $$
  select coalesce(array_agg(queues.name), '{}')
  from queues
  left join groups as own on queues.is_counted and own.name = '@' || queues.name
  where queues.paused_at is not null or own.max_running <= own.running or own.next_start_at > clock_timestamp();
$$;

-- check_count() — refuses a count that has no end or no time

create or replace function check_count(p_cap integer, p_within interval)
  returns void
  language plpgsql
as $$
begin
  if p_cap is null or p_cap not between 1 and 100000000 then
    perform refuse('TK004', format('p_cap cannot be %s', coalesce(p_cap::text, 'null')),
                   'Give a cap from 1 to 100000000.');
  end if;
  if p_within is null or p_within not between '0' and '1 day' then
    perform refuse('TK004', format('p_within cannot be %s', coalesce(p_within::text, 'null')),
                   'Give an interval such as ''200 ms'', and no more than 1 day.');
  end if;
end;
$$;
