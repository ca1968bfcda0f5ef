-- lock_books() — keeps packers away until this transaction is over
--
-- For whoever counts anew: what a packer holds at that moment would be counted twice.
-- Taken first, before rows that a packer's transaction may wait for.

create or replace function lock_books()
  returns void
  language sql
as $$
  select pg_advisory_xact_lock(hashtextextended(current_schema() || ' books', 0));
$$;
