-- pg_background_stats() — counts over all sessions, of the tasks that are still kept
--
-- The caller's own, or everybody's for an operator.

create or replace function pg_background_stats()
  returns pg_background_stats
  language sql
  stable
  security definer
  set search_path from current
as $$
  select row(
    count(*), count(*) filter (where state = 'done'),
    count(*) filter (where state = 'failed' and reason <> 'timeout'), count(*) filter (where state = 'cancelled'),
    count(*) filter (where reason = 'timeout'), (count(*) filter (where state = 'running'))::integer,
    (avg(extract(epoch from finished_at - started_at)) filter (where state = 'done') * 1000)::double precision,
    background_limit())::pg_background_stats
  from background_task
  where (select background_sees_all()) or submitted_by = (select submitter());
$$;

create or replace function pg_background_stats_v2()
  returns pg_background_stats
  language sql
  set search_path from current
as $$
  select pg_background_stats();
$$;
