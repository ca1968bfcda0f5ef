-- drain_worker() — asks a worker to take nothing more and to stop when it is done
--
-- It reads this at its next heartbeat.

create or replace function drain_worker(p_worker text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  update workers set draining_at = coalesce(draining_at, clock_timestamp()) where id = p_worker;
  if not found then
    perform refuse('TK004', format('there is no worker %s', coalesce(left(p_worker, bound('name')), 'null')),
                   'The view worker lists the running workers.');
  end if;
  perform pg_notify(current_schema() || ':drain', p_worker);
  perform audit_action('drain_worker', 'worker ' || p_worker, null, null);
end;
$$;
