-- Triggers of dialects on events of the engine. A dialect names the event, not the table.

-- event_table() — the table whose inserts are the event; null when there is no such event
--
--   attempt failed   NEW has the columns of failed_attempt
--   task ended       NEW has the columns of ended_task
--   group created    NEW has the columns of group_limit
--   sql began        NEW has the columns of sql_backend

create or replace function event_table(p_event text)
  returns regclass
  language sql
  stable
  set search_path from current
as $$
  select case p_event
    when 'attempt failed' then 'attempts'::regclass
    when 'task ended' then 'finished'::regclass
    when 'group created' then 'groups'::regclass
    when 'sql began' then 'sql_runs'::regclass
  end;
$$;

-- attach_trigger() — calls a trigger function of a dialect at an event, for the rows that p_when accepts
--
-- p_time: 'before' may change the row, 'after' sees it stored, 'at commit' runs after everything
-- else that the transaction did. A trigger of that name is replaced. The condition is asked of
-- every row of the event, so it has to be cheap.

create or replace function attach_trigger(
  p_event text, p_trigger text, p_time text, p_when text, p_function regprocedure
)
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  v_table regclass := event_table(p_event);
begin
  if v_table is null or p_time not in ('before', 'after', 'at commit') then
    perform refuse('TK004', format('unknown event %L or time %L', p_event, p_time),
                   'See event_table() for the events; the times are before, after and at commit.');
  end if;
  if p_time = 'at commit' then
    -- Postgres replaces no constraint trigger.
    execute format('drop trigger if exists %I on %s', p_trigger, v_table);
    execute format(
      'create constraint trigger %I after insert on %s deferrable initially deferred
         for each row when (%s) execute function %s',
      p_trigger, v_table, p_when, p_function);
  else
    execute format('create or replace trigger %I %s insert on %s for each row when (%s) execute function %s',
                   p_trigger, p_time, v_table, p_when, p_function);
  end if;
end;
$$;
