-- lines_with_room() — the groups that wait in a fair queue and may start a task
--
-- Once around from p_from, one index probe per group; groups that are full, paused
-- or not due for their next start are passed over. Looked up without a lock:
-- admit() decides.

create or replace function lines_with_room(
  p_queue text, p_from text, p_limit integer, p_common integer, p_now timestamptz
)
  returns table (turn text, weight integer)
  language plpgsql
as $$
declare
  c_visits constant integer := 2000;
  v_from    text := p_from;
  v_wrapped boolean := p_from = '';
  v_found   integer := 0;
begin
  for i in 1..c_visits loop
    select tasks.turn into turn
    from tasks
    where tasks.queue = p_queue and tasks.turn >= v_from
    order by tasks.turn
    limit 1;

    if turn is null or (v_wrapped and p_from <> '' and turn >= p_from) then
      exit when v_wrapped;
      v_wrapped := true;
      v_from := '';
      continue;
    end if;

    v_from := turn || chr(1);
    weight := 1;
    perform from groups
    where name = lines_with_room.turn
      and (paused_at is not null or next_start_at > p_now or running >= coalesce(max_running, p_common));
    if not found then
      select coalesce(max(groups.weight), 1) into weight from groups where name = lines_with_room.turn;
      return next;
      v_found := v_found + 1;
      exit when v_found >= p_limit;
    end if;
  end loop;
end;
$$;
