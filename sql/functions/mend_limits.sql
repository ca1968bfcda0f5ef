-- mend_limits() — checks the counters of groups against what really runs
--
-- Tasks say what is true: a group's counter must equal the number of tasks that
-- hold a claim and name it. What differs is put right and reported. Parked tasks
-- whose group has room and nobody left to hand over to them (a transaction that
-- held their row was rolled back) are let back into the claim index.

create or replace function mend_limits()
  returns table (group_name text, counted integer, actual integer, freed integer)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_group groups;
  v_real  integer;
  v_limit integer;
  v_name  text := '';
begin
  for v_group in
    select groups.* from groups order by left(name, 1) <> '@', name
  loop
    v_real := running_in(v_group.name);
    if v_real <> v_group.running then
      -- It may just have changed: look again with the row held.
      perform lock_groups(array[v_group.name], clock_timestamp());
      select running into counted from groups where name = v_group.name;
      v_real := running_in(v_group.name);
      if v_real <> counted then
        update groups set running = v_real where name = v_group.name;
        group_name := v_group.name;
        actual := v_real;
        freed := 0;
        return next;
      end if;
    end if;
  end loop;

  loop
    select min(parked_on) into v_name from tasks where parked_on > v_name;
    exit when v_name is null;
    select groups.* into v_group from groups where name = v_name;
    select coalesce(next.max_running, v_group.max_running, (rules(next.queue)).group_max_running) into v_limit
    from tasks as next
    where next.parked_on = v_name
    order by next.priority desc, next.run_at, next.id
    limit 1;
    if v_group.paused_at is null and v_group.running < coalesce(v_limit, v_group.running + 1)
       and coalesce(v_group.next_start_at <= clock_timestamp(), true)
       and lock_groups(array[v_name], clock_timestamp(), false) is not null then
      perform hand_over(array[v_name], array[1]);
      group_name := v_name;
      counted := v_group.running;
      actual := v_group.running;
      freed := 1;
      return next;
    end if;
  end loop;
end;
$$;
