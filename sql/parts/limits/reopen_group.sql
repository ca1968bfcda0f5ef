-- reopen_group() — after its limits changed, lets in as many parked tasks as now have room
--
-- The caller holds the group's row. A group without a limit lets everybody back
-- into the claim index; the rings wake those who sleep.

create or replace function reopen_group(p_group text)
  returns void
  language plpgsql
as $$
declare
  v_group groups;
begin
  select * into v_group from groups where name = p_group;
  -- greatest() passes over nulls, so no limit has to be told apart from a limit of nothing.
  perform hand_over(array[p_group], array[case
    when v_group.max_running is null then 2147483647
    else greatest(v_group.max_running - v_group.running, 0)
  end]);
  if left(p_group, 1) = '@' then
    perform ring(array[substr(p_group, 2)]);
  else
    perform ring(array(select distinct queue from sleepers));
  end if;
end;
$$;
