-- waiting_in() — the due tasks that wait for the pause of a group
--
-- Nearly all are parked on it. Those that no claim has met yet are looked for among
-- the first thousand that are due; whichever is not found is dated when it is met.

create or replace function waiting_in(p_queue text, p_pause text, p_now timestamptz)
  returns bigint[]
  language sql
  stable
as $$
  select array(
    select id from tasks where parked_on = p_pause and run_at <= p_now
    union all
    select due.id
    from (
      select id, groups
      from tasks
      where queue = p_queue and parked_on is null and turn is null and priority = 0 and run_at <= p_now and claim is null
      order by run_at, id
      limit 1000
    ) as due
    where p_pause = any (due.groups)
  );
$$;
