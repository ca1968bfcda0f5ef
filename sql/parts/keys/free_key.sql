-- free_key() — gives back the key of one task that ended; free_keys() says when it is kept

create or replace function free_key(p_id bigint, p_queue text, p_key text, p_keeps boolean, p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  if p_keeps then
    update keys set until = 'infinity' where queue = p_queue and key = p_key and task = p_id;
  else
    delete from keys where queue = p_queue and key = p_key and task = p_id and until <= p_now;
  end if;
end;
$$;
