-- repair_limits() — checks the counters of groups against what really runs
--
-- Tasks say what is true: a group's counter must equal the number of tasks that
-- hold a claim, are not parked and name it. What differs is put right and reported.
--
-- Parked tasks whose group has room are let back into the claim index, the first of
-- each queue: no transaction handed a slot over to them (one that held their
-- row was rolled back), or the place in line went to a queue that no worker serves.

create or replace function repair_limits()
  returns table (group_name text, counted integer, actual integer, freed integer)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_group groups;
  v_real  integer;
  v_limit integer;
  v_name  text;
begin
  foreach v_name in array find_groups_in_doubt() loop
    -- It may just have changed: look again with the row held.
    perform lock_groups(array[v_name], clock_timestamp());
    select running into counted from groups where name = v_name;
    v_real := count_running(v_name);
    if v_real <> counted then
      update groups set running = v_real where name = v_name;
      group_name := v_name;
      actual := v_real;
      freed := 0;
      return next;
    end if;
  end loop;

  v_name := '';

  loop
    select min(parked_on) into v_name from tasks where parked_on > v_name;
    exit when v_name is null;
    select groups.* into v_group from groups where name = v_name;
    select coalesce(next.max_running, v_group.max_running, rules.group_max_running) into v_limit
    from tasks as next
    cross join lateral queue_rules(next.queue) as rules
    where next.parked_on = v_name and next.claim is null
    order by next.priority desc, next.run_at, next.id
    limit 1;
    if v_group.paused_at is null and coalesce(v_group.running < v_limit, true)
       and coalesce(v_group.next_start_at <= clock_timestamp(), true)
       and exists (select from tasks where parked_on = v_name and claim is null)
       and lock_groups(array[v_name], clock_timestamp(), false, true) is not null then
      group_name := v_name;
      counted := coalesce(v_group.running, 0);
      actual := counted;
      freed := unpark_heads(v_name);
      return next;
    end if;
  end loop;
end;
$$;

-- find_groups_in_doubt() — groups whose counter differs from what is seen to run
--
-- All groups in one pass over what is claimed. In the order in which groups are
-- locked.

create or replace function find_groups_in_doubt()
  returns text[]
  language sql
  stable
as $$
  select coalesce(array_agg(groups.name order by left(groups.name, 1) <> '@', groups.name), '{}')
  from groups
  left join (
    select given.name, sum(tasks.size) as n
    from claims
    cross join lateral unnest(claimed_ids(claims)) as held (id)
    join tasks on tasks.id = any (array[held.id]) and tasks.claim = claims.id
    left join queues on queues.name = tasks.queue
    cross join lateral unnest(
      case when tasks.parked_on is null then tasks.groups end || case when queues.is_counted then '@' || tasks.queue end
    ) as given (name)
    where given.name is not null
    group by given.name
  ) as actual on actual.name = groups.name
  where groups.running <> coalesce(actual.n, 0) and groups.opened_by is null;
$$;
