-- Later starts, for dialects.

-- delay_group() — no task of a group starts before p_until
--
-- Tasks that wait are dated by the session that claims or hands over, as for a gap. The
-- caller holds the group's row, because one of its tasks has just ended.

create or replace function delay_group(p_group text, p_until timestamptz)
  returns void
  language sql
as $$
  update groups set next_start_at = greatest(next_start_at, p_until) where name = p_group;
$$;

-- postpone_tasks() — queued → queued, later, for tasks that no session is just taking
--
-- Waits for no row: a session that holds one will find the group held back. Parked tasks
-- stay parked.

create or replace function postpone_tasks(p_ids bigint[], p_run_ats timestamptz[])
  returns void
  language sql
as $$
  update tasks
  set run_at = p_run_ats[array_position(p_ids, id)]
  where ctid = any (array(
    select ctid from tasks where id = any (p_ids) and claim is null order by id for no key update skip locked
  ));
$$;

-- list_waiting_tasks() — the due tasks of a queue that wait for a group that is held back
--
-- Nearly all are parked on it. Those that no claim has met yet are looked for among
-- the first thousand of priority 0 that are due; whichever is not found is dated when it is met.

create or replace function list_waiting_tasks(p_queue text, p_group text, p_now timestamptz)
  returns bigint[]
  language sql
  stable
as $$
  select array(
    select id from tasks where parked_on = p_group and run_at <= p_now and claim is null
    union all
    select due.id
    from (
      select id, groups
      from tasks
      where queue = p_queue and parked_on is null and turn is null and priority = 0 and run_at <= p_now
        and claim is null
      order by run_at, id
      limit 1000
    ) as due
    where p_group = any (due.groups)
  );
$$;
