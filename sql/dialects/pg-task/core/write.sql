-- What becomes of a task, written to its row.
--
-- No write waits for a row that another transaction holds: a transaction of a user holds rows
-- and waits for the engine, so the engine must not wait for rows. What cannot be written now is owed.

-- write_begin() — a backend runs the task: WORK, since when and where

create or replace function write_begin(p_task live_task, p_pid integer, p_at timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_table task_tables;
begin
  select * into v_table from task_tables where queue = p_task.queue;
  if not is_writable(v_table.relation) then
    return;
  end if;
  execute format(
    'update %1$s set state = ''WORK'', start = $2, stop = null, pid = $3
     where id = (select id from %1$s where id = $1 and state in (''PLAN'', ''TAKE'', ''WORK'') for update skip locked)',
    v_table.relation::regclass)
  using p_task.key::bigint, p_at, p_pid;
exception when others then
  raise warning 'the start of task % is not written to its row: %', p_task.key, sqlerrm;
end;
$$;

-- write_loss() — the task lost its worker and waits again: PLAN

create or replace function write_loss(p_task live_task)
  returns void
  language plpgsql
as $$
declare
  v_table task_tables;
begin
  select * into v_table from task_tables where queue = p_task.queue;
  if not is_writable(v_table.relation) then
    return;
  end if;
  execute format(
    'update %1$s set state = ''PLAN'', start = null, stop = null, pid = null
     where id = (select id from %1$s where id = $1 and state in (''TAKE'', ''WORK'') for update skip locked)',
    v_table.relation::regclass)
  using p_task.key::bigint;
exception when others then
  raise warning 'the loss of task % is not written to its row: %', p_task.key, sqlerrm;
end;
$$;

-- write_end() — the task has ended: state, times, output and error, then its repetition and deletion
--
-- Whatever is wrong with the table of the user, the task must be able to end, and others with it: an
-- error is kept in owed_writes.

create or replace function write_end(p_ended ended_task)
  returns void
  language plpgsql
as $$
declare
  v_table task_tables;
  v_row   task_row;
begin
  select * into v_table from task_tables where queue = p_ended.queue;
  if not is_writable(v_table.relation) or p_ended.key is null or p_ended.key !~ '^-?[0-9]{1,18}$' then
    return;
  end if;
  begin
    execute format('select %s from %s as t where id = $1 for update skip locked', row_text(),
                   v_table.relation::regclass)
    into v_row using p_ended.key::bigint;
    if v_row.id is null then
      execute format('select id from %s where id = $1', v_table.relation::regclass)
      into v_row.id using p_ended.key::bigint;
      if v_row.id is not null then
        perform owe(p_ended, 'end', null);
      end if;
      return;
    end if;
    if p_ended.state = 'cancelled' then
      perform write_stop(p_ended, v_row, v_table);
      return;
    end if;
    perform write_outcome(p_ended, v_row, v_table);
  exception when others then
    perform owe(p_ended, 'end', sqlerrm);
    return;
  end;
  if v_row.repeat > interval '0' then
    perform write_repeat(p_ended, v_row, v_table);
  end if;
  if v_row.max < 0 and p_ended.started_at is not null then
    perform pause_group_tasks(p_ended, v_row, v_table);
  end if;
end;
$$;

-- write_stop() — the task was cancelled: STOP, if the row does not say already what it is

create or replace function write_stop(p_ended ended_task, p_row task_row, p_table task_tables)
  returns void
  language plpgsql
as $$
begin
  if p_row.state in ('PLAN', 'TAKE', 'WORK') or (p_row.state = 'STOP' and p_row.start is not null) then
    execute format('update %s set state = ''STOP'', stop = $2 where id = $1', p_table.relation::regclass)
    using p_row.id, case when p_ended.started_at is not null then p_ended.finished_at end;
  end if;
end;
$$;

-- write_outcome() — done or failed: what the row says of it

create or replace function write_outcome(p_ended ended_task, p_row task_row, p_table task_tables)
  returns void
  language plpgsql
as $$
declare
  v_output text;
  v_error  text;
  v_gone   boolean := p_ended.reason is not distinct from 'expired';
  v_state  text := case when p_ended.state = 'done' then 'DONE' when v_gone then 'GONE' else 'FAIL' end;
begin
  if p_ended.state = 'done' then
    v_output := row_output(p_ended.output, p_row);
  elsif v_gone then
    v_error := 'ERROR:  task not active';
  else
    v_output := coalesce(row_output(p_ended.error, p_row), '');
    v_error := error_text(p_ended.error, p_ended.payload ->> 'sql');
  end if;
  execute format(
    'update %s set state = $2::text::%s, start = $3, stop = $4, pid = coalesce($5, pid), output = $6, error = $7 '
    'where id = $1', p_table.relation::regclass, p_table.state_type)
  using p_row.id, v_state,
        case when v_gone then p_ended.finished_at else coalesce(p_row.start, p_ended.started_at) end,
        p_ended.finished_at, backend_of(coalesce(p_ended.output, p_ended.error)), v_output, v_error;
  if p_row.delete and v_output is null and v_error is null and p_row.repeat = interval '0' then
    execute format('delete from %s where id = $1', p_table.relation::regclass) using p_row.id;
  end if;
end;
$$;

-- row_output() — what a task printed, in the format of its row

create or replace function row_output(p_output jsonb, p_row task_row)
  returns text
  language plpgsql
  stable
as $$
declare
  v_text text;
begin
  -- Here, where pg_task ends a transaction that was left open, it prints that too.
  v_text := output_as_text(p_output, jsonb_build_object(
    'header', p_row.header, 'string', p_row.string, 'delimiter', p_row.delimiter, 'quote', p_row.quote,
    'escape', p_row.escape, 'null', p_row."null", 'implied', p_row.remote is null));
  -- What was too much to keep was not nothing.
  if v_text is null and (p_output ? 'results_dropped'
                         or p_output @? '$.results[*] ? (@.dropped > 0 || @.copy_dropped > 0)') then
    return '';
  end if;
  return v_text;
end;
$$;

-- backend_of() — the process that ran a task; null when the output does not say

create or replace function backend_of(p_output jsonb)
  returns integer
  language sql
  immutable
as $$
  select case when jsonb_typeof(p_output -> 'pid') = 'number' then
    case when (p_output -> 'pid')::numeric between 0 and 2147483647 then (p_output -> 'pid')::integer end end;
$$;

-- is_writable() — whether this is a table that the engine's owner may write with its own rights
--
-- Triggers of the table run with these rights. Its owner may have changed.

create or replace function is_writable(p_relation oid)
  returns boolean
  language sql
  stable
as $$
  select exists (select from pg_catalog.pg_class where oid = p_relation and is_trusted(relowner));
$$;

-- owe() — keeps in mind what could not be written; p_error: why, null when another transaction holds the row

create or replace function owe(p_ended ended_task, p_what text, p_error text)
  returns void
  language plpgsql
as $$
begin
  insert into owed_writes as owed (task, queue, what, error)
  values (p_ended.id, p_ended.queue, p_what, p_error)
  on conflict (task, what) do update
    set tries    = owed.tries + 1,
        next_try = clock_timestamp() + case
                     when p_error is null then interval '0.3 seconds'
                     else least(interval '1 second' * 2 ^ least(owed.tries, 9), interval '5 minutes') end,
        error    = p_error;
  if p_error is not null then
    raise warning 'what became of task % of % is not written yet: %', p_ended.key, p_ended.queue, p_error;
  end if;
end;
$$;
