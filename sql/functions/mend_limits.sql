-- mend_limits() — checks the counters of groups against what really runs
--
-- Tasks say what is true: a group's counter must equal the number of tasks that
-- hold a claim and name it. What differs is put right and reported.
--
-- Parked tasks whose group has room are let back into the claim index, the first of
-- each queue: nobody was left to hand over to them (a transaction that held their
-- row was rolled back), or the place in line went to a queue that nobody serves.

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
  v_name  text;
begin
  foreach v_name in array groups_in_doubt() loop
    -- It may just have changed: look again with the row held.
    perform lock_groups(array[v_name], clock_timestamp());
    select running into counted from groups where name = v_name;
    v_real := running_in(v_name);
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
    select coalesce(next.max_running, v_group.max_running, (rules(next.queue)).group_max_running) into v_limit
    from tasks as next
    where next.parked_on = v_name
    order by next.priority desc, next.run_at, next.id
    limit 1;
    if v_group.paused_at is null and v_group.running < coalesce(v_limit, v_group.running + 1)
       and coalesce(v_group.next_start_at <= clock_timestamp(), true)
       and lock_groups(array[v_name], clock_timestamp(), false) is not null then
      group_name := v_name;
      counted := v_group.running;
      actual := v_group.running;
      freed := free_heads(v_name);
      return next;
    end if;
  end loop;
end;
$$;
