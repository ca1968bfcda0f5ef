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
