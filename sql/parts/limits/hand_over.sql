-- hand_over() — lets the next parked tasks of these groups back into the claim index
--
-- In order of priority, time and arrival; as many per group as p_counts says. A
-- group with a gap or a rate dates them for its next start. Nothing is reserved:
-- the next claim() still checks. Whoever takes a task of a group out of the claim
-- index for good calls this for it, so a group with parked tasks always has a
-- task running or waiting in the index, or is owed one: a claim that looked at a task
-- while it was being parked holds its row until it commits, and cannot be waited for
-- here, for it may wait for the group. The next claim that falls short pays (pay_groups()).

create or replace function hand_over(p_names text[], p_counts integer[])
  returns void
  language plpgsql
as $$
declare
  v_queues text[];
  v_missed text[];
begin
  with next as materialized (
    select ended.name, parked.ctid, greatest(parked.run_at, groups.next_start_at) as run_at
    from unnest(p_names, p_counts) as ended (name, n)
    join groups on groups.name = ended.name and groups.paused_at is null
    cross join lateral (
      select ctid, run_at
      from tasks
      where parked_on = ended.name
      order by priority desc, run_at, id
      limit ended.n
      for no key update skip locked
    ) as parked
  ), freed as (
    update tasks
    set parked_on = null,
        run_at    = next.run_at
    from next
    where tasks.ctid = next.ctid
    returning tasks.queue
  ), missed as (
    select ended.name
    from unnest(p_names, p_counts) as ended (name, n)
    join groups on groups.name = ended.name and groups.paused_at is null
    cross join lateral (select count(*) as n from next where next.name = ended.name) as found
    where found.n < ended.n
      and found.n < (select count(*) from (select from tasks where parked_on = ended.name limit found.n + 1) as waiting)
  )
  select (select array_agg(distinct queue) from freed), (select array_agg(name) from missed) into v_queues, v_missed;

  if v_missed is not null then
    update groups
    set is_owed = true
    where name in (select name from groups where name = any (v_missed) for no key update skip locked);
  end if;
  if v_queues is not null then
    perform ring(v_queues);
  end if;
end;
$$;
