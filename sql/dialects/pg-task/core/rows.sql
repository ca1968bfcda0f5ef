-- Rows of a task table and the tasks of the engine, kept in step.
--
-- The row follows the engine (write.sql), and the engine follows the row: each change of a row is
-- compared with its task, and only what differs is done. So a write of the dialect itself
-- changes nothing further, and a user's trigger that writes back is seen like any other writer.

-- table_of() — the task table that a trigger fired for; null when it is none any more

create or replace function table_of(p_relation oid)
  returns task_tables
  language sql
  stable
as $$
  select * from task_tables where relation = p_relation;
$$;

-- with_secrets() — rows with their connection strings as they were given

create or replace function with_secrets(p_rows task_row[], p_queue text)
  returns task_row[]
  language plpgsql
  stable
as $$
begin
  if not exists (select from unnest(p_rows) as given where given.remote is not null) then
    return p_rows;
  end if;
  for i in 1 .. cardinality(p_rows) loop
    p_rows[i].remote := coalesce(
      (select remote from remotes where queue = p_queue and id = (p_rows[i]).id), (p_rows[i]).remote);
  end loop;
  return p_rows;
end;
$$;

-- insert_rows() — rows that are new: those that say PLAN are planned
--
-- TAKE and WORK are what a dump of a live table has; nothing runs them, so they are planned, as
-- pg_task resets them. Others are only kept.

create or replace function insert_rows(p_rows task_row[], p_table task_tables)
  returns void
  language plpgsql
as $$
declare
  v_row   task_row;
  v_reset bigint[];
  v_as    repeating;
  v_rows  task_row[] := array(
    select row_of from unnest(p_rows) as row_of where row_of.state in ('PLAN', 'TAKE', 'WORK'));
begin
  foreach v_row in array v_rows loop
    perform check_row(v_row);
  end loop;
  if cardinality(v_rows) = 1 then
    delete from repeating
    where xid = pg_current_xact_id_if_assigned() and queue = p_table.queue and parent = (v_rows[1]).parent
    returning * into v_as;
    if v_as.parent is not null then
      insert into remotes (queue, id, remote)
      select queue, (v_rows[1]).id, remote from remotes where queue = p_table.queue and id = v_as.parent
      on conflict do nothing;
    end if;
  end if;
  v_rows := with_secrets(v_rows, p_table.queue);
  if cardinality(v_rows) > 0 then
    perform plan_rows(v_rows, p_table, v_as);
  end if;
  v_reset := array(select given.id from unnest(v_rows) as given where given.state <> 'PLAN');
  if cardinality(v_reset) > 0 then
    execute format('update %s set state = ''PLAN'', start = null, stop = null, pid = null where id = any ($1)',
                   p_table.relation::regclass)
    using v_reset;
  end if;
end;
$$;

-- update_rows() — rows that were changed: their tasks are amended, stopped or planned again
--
-- All locks first, in the order of the verbs: row by row, a statement over many tasks and a
-- worker that claims them would wait for each other. A task that has meanwhile gone on stays where
-- it has come to.

create or replace function update_rows(p_before task_row[], p_after task_row[], p_table task_tables)
  returns void
  language plpgsql
as $$
declare
  v_pair  record;
  v_stops bigint[] := '{}';
  v_plans task_row[] := '{}';
begin
  if (select array_agg(given.id order by given.id) from unnest(p_before) as given)
       is distinct from (select array_agg(given.id order by given.id) from unnest(p_after) as given) then
    -- Rows that got another id are other rows.
    perform delete_rows(
      array(select given.id from unnest(p_before) as given where given.id <> all (
              array(select id from unnest(p_after)))), p_table.queue);
    perform insert_rows(
      array(select given from unnest(p_after) as given where given.id <> all (
              array(select id from unnest(p_before)))), p_table);
  end if;
  p_after := array(
    select new from unnest(p_after) as new join unnest(p_before) as old on old.id = new.id
    where old.state <> new.state or differs(old, new, '-infinity'));
  if cardinality(p_after) = 0 then
    return;
  end if;
  p_after := with_secrets(p_after, p_table.queue);
  perform lock_tasks(array(
      select task from task_key where queue = p_table.queue and key = any (array(select id::text from unnest(p_after)))
    ), clock_timestamp());
  for v_pair in
    select old, new, live.id as task, live.claim, live.run_at
    from unnest(p_before) as old
    join unnest(p_after) as new on new.id = old.id
    left join task_key on task_key.queue = p_table.queue and task_key.key = new.id::text
    left join live_task as live on live.id = task_key.task
    order by new.id
  loop
    perform check_change(v_pair.old, v_pair.new, v_pair.claim is not null, p_table);
    if (v_pair.new).state in ('PLAN', 'TAKE', 'WORK') then
      perform check_row(v_pair.new);
      if v_pair.task is null and (v_pair.new).state = 'PLAN' then
        v_plans := v_plans || v_pair.new;
      elsif v_pair.task is not null and differs(v_pair.old, v_pair.new, v_pair.run_at) then
        perform amend_task(v_pair.task, v_pair.new, p_table);
      end if;
    elsif v_pair.task is not null and (v_pair.claim is null or (v_pair.new).state = 'STOP') then
      v_stops := v_stops || v_pair.task;
    end if;
  end loop;
  if cardinality(v_stops) > 0 then
    perform from cancel_many(v_stops);
  end if;
  if cardinality(v_plans) > 0 then
    perform plan_rows(v_plans, p_table);
  end if;
end;
$$;

-- check_change() — refuses a state that only the engine can bring about

create or replace function check_change(p_old task_row, p_new task_row, p_runs boolean, p_table task_tables)
  returns void
  language plpgsql
as $$
begin
  if p_new.state = p_old.state then
    return;
  end if;
  if p_new.state in ('TAKE', 'WORK') and not p_runs then
    perform refuse('TK003', format('task %s is not running and cannot be set to %s', p_new.id, p_new.state),
                   'A worker sets TAKE and WORK. Set PLAN to have it run.');
  end if;
  if p_new.state = 'PLAN' and p_runs then
    perform refuse('TK003', format('task %s is running and cannot be set to PLAN', p_new.id),
                   'Set it to STOP first: that cancels the run.');
  end if;
end;
$$;

-- differs() — whether a change of a row concerns its task, which is planned for p_run_at

create or replace function differs(p_old task_row, p_new task_row, p_run_at timestamptz)
  returns boolean
  language sql
  immutable
as $$
  select (p_old.active, p_old.live, p_old.repeat, p_old.timeout, p_old.count, p_old.max, p_old.delete, p_old.drift,
          p_old.save, p_old."group", p_old.input)
           is distinct from
         (p_new.active, p_new.live, p_new.repeat, p_new.timeout, p_new.count, p_new.max, p_new.delete, p_new.drift,
          p_new.save, p_new."group", p_new.input)
      or p_old.remote is distinct from p_new.remote
      or (p_old.plan <> p_new.plan and p_new.plan <> p_run_at);
$$;

-- delete_rows() — rows that are gone: their tasks go too, and those that run are cancelled

create or replace function delete_rows(p_rows bigint[], p_queue text)
  returns void
  language plpgsql
as $$
declare
  v_tasks bigint[] := array(
    select task from task_key where queue = p_queue and key = any (array(select id::text from unnest(p_rows) as id)));
begin
  delete from remotes where queue = p_queue and id = any (p_rows);
  if cardinality(v_tasks) > 0 then
    perform lock_tasks(v_tasks, clock_timestamp());
    perform from delete_many(v_tasks);
  end if;
end;
$$;
