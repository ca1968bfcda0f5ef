-- background_task — every background task there is, waiting, running or ended; for the dialect itself
--
-- A role that may enqueue may write anything into meta, so nothing there is taken for
-- what it should be: one odd task must not hide all the others behind an error.

create view background_task as
  select task.id,
         case when task.facts ->> 'cookie' ~ '^\d{1,18}$' then (task.facts ->> 'cookie')::bigint else 0 end as cookie,
         task.facts ->> 'label' as label, task.facts ->> 'xid' as xid,
         case when task.facts ->> 'queue_size' ~ '^\d{1,9}$' then (task.facts ->> 'queue_size')::integer
              else 0 end as queue_size,
         task.facts ->> 'keeps_rows' is distinct from 'false' as keeps_rows,
         case when jsonb_typeof(task.facts -> 'topics') = 'array'
              then array(select jsonb_array_elements_text(task.facts -> 'topics')) else '{}' end as topics,
         task.sql, task.state, task.reason, task.retries, task.backoff, task.created_at, task.started_at,
         task.finished_at, task.submitted_by, task.progress, task.output, task.error
  from (
    select live_task.id, live_task.meta -> 'pg_background' as facts, live_task.payload ->> 'sql' as sql,
           case when live_task.claim is null then 'queued' else 'running' end as state, null::text as reason,
           case when live_task.claim is null then live_task.attempt else live_task.attempt - 1 end as retries,
           live_task.backoff, live_task.created_at, coalesce(live_task.started_at, task_claim.claimed_at) as started_at,
           null::timestamptz as finished_at, live_task.submitted_by, live_task.progress, null::jsonb as output,
           failure.error
    from live_task
    left join task_claim on task_claim.id = live_task.claim
    left join lateral (
      select error from failed_attempt where task = live_task.id order by ended_at desc limit 1
    ) as failure on true
    where live_task.queue = 'pg_background' and live_task.kind = 'sql' and live_task.meta ? 'pg_background'
    union all
    select id, meta -> 'pg_background', payload ->> 'sql', state, reason, greatest(attempt - 1, 0), backoff, created_at,
           started_at, finished_at, submitted_by, null, output, error
    from ended_task
    where queue = 'pg_background' and kind = 'sql' and meta ? 'pg_background'
  ) as task;

-- pg_background_list — the tasks of the caller that were not detached, whatever session launched them
--
-- An operator sees those of everybody.

create view pg_background_list with (security_barrier) as
  select id as pid, cookie, created_at as launched_at, to_regrole(quote_ident(submitted_by))::oid as user_id,
         queue_size,
         case
           when state = 'queued' then case when retries = 0 then 'pending' else 'retrying' end
           when state = 'running' then 'running'
           when state = 'done' then 'stopped'
           when state = 'cancelled' then 'canceled'
           else 'error'
         end as state,
         left(sql, 120) as sql_preview, error ->> 'message' as last_error, false as consumed, label
  from background_task
  where ((select background_sees_all()) or submitted_by = (select background_submitter()))
    and not exists (select from background_detached where task = background_task.id);

-- pg_background_tasks — what waits, runs and has ended: all of it for operators, their own for others
--
-- A barrier: no condition of the reader's is asked about tasks that it may not see.

create view pg_background_tasks with (security_barrier) as
  select id, sql as sql_statement, created_at as joined_at, started_at, finished_at as closed_at,
         (case
           when state = 'queued' then case when retries = 0 then 'pending' else 'retrying' end
           when state = 'running' then 'running'
           when state = 'done' then 'finished'
           else 'failed'
         end)::state_enum as state,
         retries as retry_count,
         case when retries = 0 or backoff ->> 'kind' = 'never' then 0
              else least(power(2, least(retries, 30)), extract(epoch from (backoff ->> 'cap')::interval))::integer
         end as retry_delay_in_sec,
         topics,
         (background_error(case when state in ('queued', 'running') and error is not null then 'failed' else state end,
                           reason, error)).message as errors
  from background_task
  where (select background_sees_all()) or submitted_by = (select background_submitter());

-- pg_background_activity — the list beside what the backend of each running task does

create view pg_background_activity as
  select list.pid, list.cookie, list.launched_at, list.user_id, list.queue_size, list.state as pgbg_state,
         list.sql_preview, list.last_error, list.consumed, list.label, activity.pid as backend_pid,
         activity.state as backend_state, activity.wait_event_type, activity.wait_event, activity.xact_start,
         activity.query_start, activity.backend_start, activity.query
  from pg_background_list as list
  left join live_task on live_task.id = list.pid
  left join sql_backend on sql_backend.task = live_task.id and sql_backend.claim = live_task.claim
  left join pg_stat_activity as activity on activity.pid = sql_backend.pid;
