-- background_task — every background task there is, waiting, running or ended; for the dialect itself
--
-- Whoever may enqueue may write anything into meta, so nothing there is taken for
-- what it should be: one odd task must not hide all the others behind an error.

create view background_task as
  select task.id,
         case when task.facts ->> 'cookie' ~ '^\d{1,18}$' then (task.facts ->> 'cookie')::bigint else 0 end as cookie,
         task.facts ->> 'label' as label, task.facts ->> 'xid' as xid,
         case when task.facts ->> 'queue_size' ~ '^\d{1,9}$' then (task.facts ->> 'queue_size')::integer else 0 end as queue_size,
         task.facts ->> 'keeps_rows' is distinct from 'false' as keeps_rows,
         case when jsonb_typeof(task.facts -> 'topics') = 'array'
              then array(select jsonb_array_elements_text(task.facts -> 'topics')) else '{}' end as topics,
         task.sql, task.state, task.reason, task.retries, task.backoff, task.created_at, task.started_at, task.finished_at,
         task.submitted_by, task.progress, task.output, task.error
  from (
    select tasks.id, tasks.meta -> 'pg_background' as facts, tasks.payload ->> 'sql' as sql,
           case when tasks.claim is null then 'queued' else 'running' end as state, null::text as reason,
           case when tasks.claim is null then tasks.attempt else tasks.attempt - 1 end as retries, tasks.backoff,
           tasks.created_at, coalesce(tasks.started_at, claims.claimed_at) as started_at, null::timestamptz as finished_at,
           tasks.submitted_by, tasks.progress, null::jsonb as output, failure.error
    from tasks
    left join claims on claims.id = tasks.claim
    left join lateral (
      select error from attempts where task = tasks.id order by ended_at desc limit 1
    ) as failure on true
    where tasks.queue = 'pg_background' and tasks.kind = 'sql' and tasks.meta ? 'pg_background'
    union all
    select id, meta -> 'pg_background', payload ->> 'sql', state, reason, greatest(attempt - 1, 0), backoff, created_at,
           started_at, finished_at, submitted_by, null, output, error
    from finished
    where queue = 'pg_background' and kind = 'sql' and meta ? 'pg_background'
  ) as task;
