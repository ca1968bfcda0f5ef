-- places_in_line() — which tasks of a bulk begin parked, because their group cannot take them all
--
-- Of the due tasks of one limited group, as many as its limit begin in the claim
-- index and the rest behind them: each of those that starts will hand on when it
-- ends. So a flood of one group never stands in front of others. Only tasks of a
-- single group, and only behind tasks of the same bulk: what waits is committed
-- together with what will wake it. A task whose key is taken, or that is still to
-- be debounced, wakes nobody.

create or replace function places_in_line(
  p_queues text[], p_groups text[], p_priorities integer[], p_run_ats timestamptz[], p_max_runnings integer[],
  p_on_duplicates text[], p_outcomes text[], p_now timestamptz
)
  returns text[]
  language plpgsql
as $$
declare
  v_parked text[];
begin
  select array_agg(case when ranked.rank > ranked.room then ranked.name end order by ranked.place)
  into v_parked
  from (
    select given.place, given.names[1] as name,
           coalesce(given.max_running, groups.max_running, (rules(given.queue)).group_max_running) as room,
           case when cardinality(given.names) = 1 and given.is_due then
             row_number() over (
               partition by given.names, given.is_due
               order by coalesce(given.priority, 0) desc, coalesce(given.run_at, p_now), given.place)
           end as rank
    from (
      select p_queues[i] as queue, p_groups[i]::text[] as names, p_priorities[i] as priority, p_run_ats[i] as run_at,
             p_max_runnings[i] as max_running, i as place,
             coalesce(p_run_ats[i], p_now) <= p_now and coalesce(p_outcomes[i], 'created') = 'created'
               and not (p_run_ats[i] is null and coalesce(p_on_duplicates[i], 'keep') = 'debounce') as is_due
      from generate_subscripts(p_queues, 1) as i
    ) as given
    left join groups on groups.name = given.names[1]
  ) as ranked;
  return v_parked;
end;
$$;
