-- park() — takes tasks of full groups out of the claim index
--
-- The first that waits for a mere point in time (a gap, a rate) is dated for it
-- instead, and becomes claimable by the passing of time. A parked task no longer
-- stands in line for its other groups, so those hand on.

create or replace function park(p_tasks tid[], p_blockers text[], p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_others text[];
begin
  with refused as materialized (
    select given.tid, given.blocker, groups.next_start_at,
           groups.paused_at is null and groups.next_start_at > p_now
             and (groups.max_running is null or groups.running < groups.max_running)
             and row_number() over (partition by given.blocker order by given.place) = 1 as waits_for_time
    from unnest(p_tasks, p_blockers) with ordinality as given (tid, blocker, place)
    join groups on groups.name = given.blocker
  ), moved as (
    update tasks
    set parked_on = case when refused.waits_for_time then null else refused.blocker end,
        run_at    = case when refused.waits_for_time then refused.next_start_at else tasks.run_at end
    from refused
    where tasks.ctid = refused.tid
    returning tasks.groups, refused.blocker
  )
  select array_agg(name) into v_others
  from moved
  cross join lateral unnest(moved.groups) as given (name)
  where cardinality(moved.groups) > 1 and given.name <> moved.blocker;

  if v_others is not null then
    perform hand_over(v_others, array_fill(1, array[cardinality(v_others)]));
  end if;
end;
$$;
