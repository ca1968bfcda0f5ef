-- read_push() — the endpoints of these queues, for workers that push; of all queues, without names
--
-- Of queues that the caller may consume, and no others.

create or replace function read_push(p_queues text[] default null)
  returns table (queue text, url text, secrets jsonb, timeout_ms bigint)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select queue, url, secrets, (extract(epoch from timeout) * 1000)::bigint
  from push_endpoints
  where (p_queues is null or queue = any (p_queues))
    and (not has_grants() or may_use('consume', queue, submitter()))
  order by queue;
$$;
