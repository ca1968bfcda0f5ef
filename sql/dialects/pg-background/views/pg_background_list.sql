-- pg_background_list — the tasks of the caller that were not detached, whatever session launched them
--
-- An operator sees those of everybody.

create view pg_background_list with (security_barrier) as
  select id as pid, cookie, created_at as launched_at, to_regrole(quote_ident(submitted_by))::oid as user_id, queue_size,
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
