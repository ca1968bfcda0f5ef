-- reopen_groups() — after the limit common to the groups of a queue changed, lets in who now has room
--
-- Only groups without a limit of their own are concerned. Handing over too many
-- does no harm: the next claim() still checks.

create or replace function reopen_groups(p_queue text, p_common integer)
  returns void
  language plpgsql
as $$
declare
  v_group groups;
  v_name  text := '';
begin
  loop
    select min(parked_on) into v_name from tasks where parked_on > v_name;
    exit when v_name is null;
    perform lock_groups(array[v_name], clock_timestamp());
    select * into v_group from groups where name = v_name;
    if v_group.max_running is null then
      perform hand_over(array[v_name], array[greatest(coalesce(p_common, 2147483647) - v_group.running, 0)]);
    end if;
  end loop;
  perform ring(array(select distinct queue from sleepers where p_queue in ('*', queue)));
end;
$$;
