-- report_sql() — a worker tells which backends run its SQL tasks, and which have ended
--
-- For people who look on (running_sql), and for dialects (the event 'sql began').

create or replace function report_sql(
  p_ids bigint[], p_claims bigint[], p_pids integer[], p_connections text[], p_ended bigint[] default '{}'
)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_outcomes(p_ids, p_claims);
  perform require_tasks('consume', p_ids);
  perform require_tasks('consume', p_ended);
  perform check_list('p_connections', p_connections);
  if not is_list(p_pids) or cardinality(p_pids) is distinct from cardinality(p_ids)
     or array_position(p_pids, null) is not null then
    perform refuse('TK004', 'each task needs the backend that runs it', 'Give p_pids with one process id per task.');
  end if;
  -- Not updated: the event of dialects is the insert.
  delete from sql_runs where task = any (p_ended || p_ids);
  insert into sql_runs (task, claim, pid, connection, began_at)
  select distinct on (p_ids[i]) p_ids[i], p_claims[i], p_pids[i], left(p_connections[i], bound('name')),
         clock_timestamp()
  from generate_subscripts(p_ids, 1) as i
  order by p_ids[i], i desc;
end;
$$;
