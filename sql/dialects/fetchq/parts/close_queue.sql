-- close_queue() — waits for whoever puts something in a queue, and keeps others out; see enter_queue()

create or replace function close_queue(par_queue varchar)
  returns void
  language sql
as $$
  select pg_advisory_xact_lock(hashtext(current_schema()), hashtext(lower(par_queue)));
$$;
