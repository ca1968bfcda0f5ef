-- push — the queues whose tasks are delivered to an endpoint, and where workers find the secrets

create view push as
  select queue, url, secrets, timeout, set_by, set_at
  from push_endpoints
  where (select not has_grants from queues where name = '*')
    or coalesce((
      select bool_or(may_operate)
      from reader_grant as held
      where held.queue = push_endpoints.queue
        or (right(held.queue, 1) = '*' and starts_with(push_endpoints.queue, left(held.queue, -1)))), true);
