-- hand_over() — lets the next parked tasks of these groups back into the claim index
--
-- In order of priority, time and arrival; as many per group as p_counts says. A
-- group with a gap or a rate dates them for its next start. Nothing is reserved:
-- the next claim() still checks. Whoever takes a task of a group out of the claim
-- index for good calls this for it, so a group with parked tasks always has a
-- task running or waiting in the index.

create or replace function hand_over(p_names text[], p_counts integer[])
  returns void
  language plpgsql
as $$
declare
  v_queues text[];
begin
  with next as materialized (
    select parked.ctid, greatest(parked.run_at, groups.next_start_at) as run_at
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
  )
  select array_agg(distinct queue) into v_queues from freed;

  if v_queues is not null then
    perform ring(v_queues);
  end if;
end;
$$;
