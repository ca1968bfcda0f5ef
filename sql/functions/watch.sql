-- watch() — how a task stands, and a ring when it ends
--
-- Answers with its state, and with its output or error once it has ended. If it has
-- not, NOTIFY '<schema>:finished' will carry its id when it does, within p_for.
-- LISTEN first, then call this, so that no end falls in between.

create or replace function watch(
  p_id  bigint,
  p_for interval default '1 minute',
  out state   text,
  out reason  text,
  out attempt integer,
  out output  jsonb,
  out error   jsonb
)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
begin
  select 'queued', tasks.attempt into state, attempt from tasks where id = p_id;
  if found then
    insert into waiters (task, until) values (p_id, clock_timestamp() + p_for);
    return;
  end if;
  select finished.state, finished.reason, finished.attempt, finished.output, finished.error
  into state, reason, attempt, output, error
  from finished
  where id = p_id;
  if not found then
    perform refuse_unknown(p_id);
  end if;
end;
$$;
