-- queue — the settings of each queue; the row '*' has the defaults
--
-- What is null is as the row '*' says, or no limit. What waits and runs in a queue is in
-- queue_stats.

create view queue as
  select queues.name as queue, queues.paused_at, own.max_running, own.gap, own.gap_from, own.rate, own.rate_window,
         queues.max_attempts, queues.max_payload, queues.group_max_running, queues.keep_done, queues.keep_failed,
         queues.keep_cancelled, queues.backoff, queues.on_lost, queues.is_fair, queues.keeps_keys,
         queues.records_events
  from queues
  left join groups as own on own.name = '@' || queues.name;
