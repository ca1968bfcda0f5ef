-- pg_background_settings — what holds for each topic; topic null is what holds for the others
--
-- in_use is how many of its tasks run now; the row without a topic counts all there are.

create view pg_background_settings as
  select null::text as topic, common.max_parallel_running_tasks_count, coalesce(common.delay_in_sec, 0) as delay_in_sec,
         coalesce(common.retry_count, 0) as retry_count,
         common.reserve, coalesce(common.max_retry_delay_in_sec, 3600) as max_retry_delay_in_sec,
         coalesce(common.retry_jitter, 0) as retry_jitter,
         (select max_running from group_limit where name = 'pg_background') as max_workers,
         coalesce((select running from group_limit where name = 'pg_background'), 0) as in_use
  from background_defaults as common
  union all
  select own.topic, coalesce(own.max_parallel_running_tasks_count, common.max_parallel_running_tasks_count),
         coalesce(own.delay_in_sec, common.delay_in_sec, 0), coalesce(own.retry_count, common.retry_count, 0),
         null, null, null, null,
         coalesce((select running from group_limit where name = 'pg_background:' || own.topic), 0)
  from background_topics as own, background_defaults as common;
