-- unused_lanes() — which of these lanes of a queue no task uses, whatever it waits for
--
-- Of what is parked or waits for its turn, priorities are no place to begin in an index: they
-- are read once for all lanes.

create or replace function unused_lanes(p_queue text, p_lanes tid[])
  returns tid[]
  language plpgsql
as $$
declare
  v_unused tid[];
  v_used   integer[];
begin
  v_unused := array(
    select lanes.ctid
    from lanes
    where lanes.ctid = any (p_lanes)
      and not exists (
        select from tasks
        where tasks.queue = p_queue and parked_on is null and turn is null and tasks.priority = lanes.priority));
  if v_unused = '{}' then
    return v_unused;
  end if;
  v_used := array(
    select priority from tasks where parked_on is not null and queue = p_queue
    union
    select priority from tasks where turn is not null and queue = p_queue);
  return array(select ctid from lanes where ctid = any (v_unused) and priority <> all (v_used));
end;
$$;
