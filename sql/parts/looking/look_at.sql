-- look_at() — which of the next tasks match, the newest first: one window of look_through()
--
-- Reads up to p_window tasks older than p_before by id, from both tables at once, and says
-- which of them match and in which state they are, which was the last, and how many there
-- were. Of finished only those that did not succeed are read when only they can match: they
-- are few. What is ready and what is blocked is told apart when a filter or p_by_state
-- asks for it.

create or replace function look_at(
  p_want task_filter, p_workers text[], p_shut text[], p_busy text[], p_before bigint, p_window integer, p_now timestamptz,
  p_by_state boolean, out ids bigint[], out states text[], out last bigint, out seen integer
)
  language plpgsql
  stable
as $$
declare
  c_live   constant text[] := '{scheduled,retrying,blocked,ready,running}';
  v_fails  boolean := num_nonnulls(p_want.reason, p_want.error, p_want.code) > 0;
  v_ends   boolean := p_want.states is null or p_want.states && '{done,failed,cancelled}';
  v_undone boolean := v_ends and (v_fails or not coalesce('done' = any (p_want.states), true));
  v_ended  boolean := v_ends and not v_undone;
  v_live   boolean := (p_want.states is null or p_want.states && c_live) and not v_fails
    and num_nonnulls(p_want.finished_after, p_want.finished_before) = 0;
  -- Only these two faces of a task that is due are not told by its own row.
  v_faces  boolean := p_by_state or ('ready' = any (p_want.states)) <> ('blocked' = any (p_want.states));
begin
  select array_agg(looked.id order by looked.id desc) filter (where looked.fits),
         array_agg(looked.state order by looked.id desc) filter (where looked.fits and p_by_state),
         min(looked.id), count(*)
  into ids, states, last, seen
  from (
    select task.id, task.state, matches(
             p_want, p_workers, task.state, task.reason, task.queue, task.kind, task.handler, task.key, task.groups, task.tags,
             task.parent, task.submitted_by, task.worker, task.created_at, task.run_at, task.finished_at, task.payload,
             task.error) as fits
    from (
      (select id,
              case
                when claim is not null then 'running'
                when run_at > p_now then case when attempt = 0 then 'scheduled' else 'retrying' end
                when not v_faces then 'ready'
                when parked_on is not null or queue = any (p_shut) then 'blocked'
                when groups is null or not groups && p_busy then 'ready'
                else (select shown.state from stored_task as shown where shown.id = tasks.id)
              end as state,
              null as reason, queue, kind, handler, key, groups, tags, parent, submitted_by,
              case when p_workers is not null then (select claims.worker from claims where claims.id = tasks.claim) end as worker,
              created_at, run_at, null::timestamptz as finished_at, payload, null::jsonb as error
       from tasks
       where v_live and id < p_before
       order by id desc
       limit p_window)
      union all
      (select id, state, reason, queue, kind, handler, key, groups, tags, parent, submitted_by, worker, created_at, run_at,
              finished_at, payload, error
       from finished
       where v_ended and id < p_before
       order by id desc
       limit p_window)
      union all
      (select id, state, reason, queue, kind, handler, key, groups, tags, parent, submitted_by, worker, created_at, run_at,
              finished_at, payload, error
       from finished
       where v_undone and id < p_before and reason is not null
       order by id desc
       limit p_window)
      order by id desc
      limit p_window
    ) as task
    -- Keeps Postgres from asking matches() once for each column above.
    offset 0
  ) as looked;
end;
$$;
