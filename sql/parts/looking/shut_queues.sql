-- shut_queues() — the queues of which nothing can start now
--
-- As the view task has it: paused, full, or waiting for their gap or rate.

create or replace function shut_queues()
  returns text[]
  language sql
  stable
as $$
  select coalesce(array_agg(queues.name), '{}')
  from queues
  left join groups as own on queues.is_counted and own.name = '@' || queues.name
  where queues.paused_at is not null or own.max_running <= own.running or own.next_start_at > clock_timestamp();
$$;
