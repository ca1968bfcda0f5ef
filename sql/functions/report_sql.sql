-- report_sql() — a worker tells which backends run its SQL tasks, and which have ended
--
-- For those who look on (running_sql); nothing rests on it.

create or replace function report_sql(
  p_ids bigint[], p_claims bigint[], p_pids integer[], p_connections text[], p_ended bigint[] default '{}'
)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  delete from sql_runs where task = any (p_ended);
  insert into sql_runs (task, claim, pid, connection, began_at)
  select p_ids[i], p_claims[i], p_pids[i], p_connections[i], clock_timestamp()
  from generate_subscripts(p_ids, 1) as i
  on conflict (task) do update
    set claim = excluded.claim, pid = excluded.pid, connection = excluded.connection, began_at = excluded.began_at;
end;
$$;
