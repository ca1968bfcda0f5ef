-- bring_forward() — lets tasks that were dated for a group's next start begin now
--
-- When the gap or the rate that they waited for has changed. They are known by
-- that very time, and found lane by lane in the claim index.

create or replace function bring_forward(p_group text, p_dated timestamptz, p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  update tasks
  set run_at = p_now
  where ctid = any (array(
    select dated.ctid
    from (select distinct queue, priority from lanes) as lane
    join tasks as dated on dated.queue = lane.queue and dated.priority = lane.priority
    where dated.parked_on is null and dated.turn is null and dated.run_at = p_dated and dated.claim is null
      and p_group = any (dated.groups)
    for no key update of dated skip locked
  ));
end;
$$;
