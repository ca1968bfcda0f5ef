-- first_to_fire() — which of the schedules that are due fire in this call
--
-- All that wait for nobody, if there are any: they must not wait for the others to
-- commit. Else those that take keys, if one role has set them: with one call of
-- enqueue_many() they are taken in order. Else one alone.

create or replace function first_to_fire(p_due schedules[])
  returns schedules[]
  language plpgsql
as $$
declare
  v_free  schedules[] := array(select due from unnest(p_due) as due where not takes_locks(due));
  v_first schedules := p_due[1];
begin
  if v_free <> '{}' then
    return v_free;
  elsif watches_tasks(v_first) then
    return array[v_first];
  end if;
  return array(select due from unnest(p_due) as due where not watches_tasks(due) and due.set_by = v_first.set_by);
end;
$$;
