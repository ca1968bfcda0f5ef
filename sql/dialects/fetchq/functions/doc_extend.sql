-- doc_extend() — active, with its lock moved to a duration from now
--
-- Not in the original. The lock is that of the whole pick.

create or replace function doc_extend(
  par_queue varchar, par_subject varchar, par_duration varchar, par_token bigint default null, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues   := require_queue(par_queue);
  v_lock  interval := read_interval(par_duration);
  v_held  record;
begin
  if v_lock is null or v_lock <= interval '0' then
    perform refuse('TK004', format('%L is no duration of a lock', par_duration), 'Write ''5m'' or ''1 hour''.');
  end if;
  v_held := hold(v_queue.name, unescape(par_subject, keeps_quotes(v_queue.config)), par_token);
  affected_rows := 0;
  if v_held.task is not null then
    select count(*) into affected_rows from extend(array[v_held.claim], v_lock);
  end if;
end;
$$;
