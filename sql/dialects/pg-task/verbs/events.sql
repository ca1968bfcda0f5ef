-- What the engine tells task tables: its triggers.

-- task_began() — a backend runs a task: its row says WORK before the first statement runs

create or replace function task_began()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_task live_task;
begin
  select * into v_task from live_task
  where id = new.task and claim = new.claim and queue ^@ 'pg_task:' and meta ? 'pg_task' and key ~ '^-?[0-9]{1,18}$';
  if found then
    perform write_begin(v_task, new.pid, new.began_at);
  end if;
  return null;
end;
$$;

-- task_lost() — an attempt lost its worker: the row says PLAN again, unless that was the last one

create or replace function task_lost()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_task live_task;
begin
  select * into v_task from live_task
  where id = new.task and queue ^@ 'pg_task:' and meta ? 'pg_task' and key ~ '^-?[0-9]{1,18}$';
  if found then
    perform write_loss(v_task);
  end if;
  return null;
end;
$$;

-- task_ended() — before the end of a task is committed: its row, its repetition, and the pause after it
--
-- At the very end of the transaction, when all that end_tasks() locks is held. With the
-- group of the pause in hand no other task of it can start meanwhile.

create or replace function task_ended()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
  set intervalstyle = 'postgres'
as $$
declare
  v_ended ended_task;
begin
  select new.id, new.queue, new.key, new.kind, new.state, new.reason, new.run_at, new.created_at, new.started_at,
         new.finished_at, new.parent, new.iteration, new.priority, new.version, new.attempt, new.submitted_by,
         new.backoff, new.meta, new.payload, new.output, new.error, new.keep_until, new.groups
  into v_ended;
  perform write_end(v_ended);
  if exists (select from owed_writes) then
    perform write_owed(10);
  end if;
  return null;
end;
$$;

-- shorten_story() — when a task of a task table ends: the engine forgets one whose row vanishes

create or replace function shorten_story()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if new.state = 'done' and new.meta #> '{pg_task,delete}' = 'true'
     and not new.output @? '$.results[*] ? (@.row_count > 0 || @.columns == null)' then
    new.keep_until := new.finished_at;
  end if;
  return new;
end;
$$;

-- write_owed() — writes what could not be written when a task ended; answers how many were
--
-- A row that another transaction still holds stays owed.

create or replace function write_owed(p_limit integer default 1000)
  returns integer
  language plpgsql
  security definer
  set search_path from current
  set intervalstyle = 'postgres'
as $$
declare
  v_owed  owed_writes;
  v_ended ended_task;
  v_table task_tables;
  v_row   task_row;
  v_count integer := 0;
begin
  for v_owed in
    select * from owed_writes where next_try <= clock_timestamp() order by next_try limit p_limit for update skip locked
  loop
    select * into v_ended from ended_task where id = v_owed.task;
    if not found then
      delete from owed_writes where task = v_owed.task;
      continue;
    end if;
    if v_owed.what = 'end' then
      perform write_end(v_ended);
    else
      select * into v_table from task_tables where queue = v_ended.queue;
      execute format('select %s from %s as t where id = $1', row_text(), v_table.relation::regclass)
      into v_row using v_ended.key::bigint;
      perform write_repeat(v_ended, v_row, v_table) where v_row.id is not null;
    end if;
    -- owe() has counted the try if it failed again.
    delete from owed_writes where task = v_owed.task and what = v_owed.what and tries = v_owed.tries;
    v_count := v_count + case when found then 1 else 0 end;
  end loop;
  return v_count;
end;
$$;
