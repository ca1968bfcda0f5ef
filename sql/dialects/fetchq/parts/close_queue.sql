-- close_queue() — waits for callers that put something in a queue, and keeps others out; see enter_queue()

create or replace function close_queue(par_queue varchar)
  returns void
  language plpgsql
as $$
begin
  if par_queue is not null then
    execute format('lock table gate_%s in exclusive mode', hashtext(lower(par_queue)) & 7);
  end if;
end;
$$;
