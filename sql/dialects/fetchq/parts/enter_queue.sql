-- enter_queue() — the folded name of a queue, which is not dropped until this transaction is over
--
-- For whoever puts something in, before the queue is looked up: queue_drop() finds all that was
-- put in before, and nothing comes after it. Shared, so they never wait for one another.
-- Assigned by itself, so that what follows sees what was waited for; not performed, which
-- takes five times as long.

create or replace function enter_queue(par_queue varchar)
  returns varchar
  language sql
as $$
  select case when pg_advisory_xact_lock_shared(hashtext(current_schema()), hashtext(lower(par_queue))) is not null
              then lower(par_queue)::varchar end;
$$;
