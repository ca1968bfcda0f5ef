-- hold_free_groups() — holds the groups that tasks name; answers with those that another transaction keeps
--
-- One element per task: its groups as an array literal, or null. Asks a few times, because
-- a group in use is held for a moment by each who starts or ends a task of it; it never
-- stands in a line behind a transaction that stays open.

create or replace function hold_free_groups(p_groups text[], p_now timestamptz)
  returns text[]
  language plpgsql
as $$
declare
  c_tries constant integer := 5;
  v_busy  text[] := array(
    select distinct given.name
    from unnest(p_groups) as task (names)
    cross join lateral unnest(task.names::text[]) as given (name));
  v_held  text[];
begin
  for i in 1 .. c_tries loop
    v_held := lock_groups(v_busy, p_now, false);
    v_busy := array(select name from unnest(v_busy) as given (name) where name <> all (coalesce(v_held, '{}')));
    exit when v_busy = '{}' or i = c_tries;
    perform pg_sleep(0.02);
  end loop;
  return v_busy;
end;
$$;
