-- background_task — every background task there is, waiting, running or ended; for the dialect itself

create view background_task as
  select tasks.id, (tasks.meta #>> '{pg_background,cookie}')::bigint as cookie,
         tasks.meta #>> '{pg_background,label}' as label, tasks.meta #>> '{pg_background,xid}' as xid,
         (tasks.meta #>> '{pg_background,queue_size}')::integer as queue_size,
         coalesce((tasks.meta #>> '{pg_background,keeps_rows}')::boolean, true) as keeps_rows,
         array(select jsonb_array_elements_text(tasks.meta #> '{pg_background,topics}')) as topics,
         tasks.payload ->> 'sql' as sql, case when tasks.claim is null then 'queued' else 'running' end as state,
         null::text as reason, case when tasks.claim is null then tasks.attempt else tasks.attempt - 1 end as retries,
         tasks.backoff, tasks.created_at, coalesce(tasks.started_at, claims.claimed_at) as started_at,
         null::timestamptz as finished_at, tasks.submitted_by, tasks.progress, null::jsonb as output, failure.error
  from tasks
  left join claims on claims.id = tasks.claim
  left join lateral (
    select error from attempts where task = tasks.id order by ended_at desc limit 1
  ) as failure on true
  where tasks.queue = 'pg_background' and tasks.meta ? 'pg_background'
  union all
  select id, (meta #>> '{pg_background,cookie}')::bigint, meta #>> '{pg_background,label}', meta #>> '{pg_background,xid}',
         (meta #>> '{pg_background,queue_size}')::integer, coalesce((meta #>> '{pg_background,keeps_rows}')::boolean, true),
         array(select jsonb_array_elements_text(meta #> '{pg_background,topics}')), payload ->> 'sql', state, reason,
         greatest(attempt - 1, 0), backoff, created_at, started_at, finished_at, submitted_by, null, output, error
  from finished
  where queue = 'pg_background' and meta ? 'pg_background';
