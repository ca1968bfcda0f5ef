-- lock_books() — keeps packers away until this transaction is over
--
-- For callers that count anew: what a packer holds at that moment would be counted twice.
-- Taken first, before rows that a packer's transaction may wait for.

create or replace function lock_books()
  returns void
  language plpgsql
as $$
begin
  lock table books in exclusive mode;
end;
$$;
