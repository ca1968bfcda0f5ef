-- The books of a queue: who may change them at the same time.

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

-- share_books() — lets a packer in beside others; false while a caller counts anew, see lock_books()

create or replace function share_books()
  returns boolean
  language plpgsql
as $$
begin
  lock table books in row share mode nowait;
  return true;
exception when lock_not_available then
  return false;
end;
$$;

-- caller() — who picks: the application, its address, and a mark of this very session
--
-- Kept by the engine with the claim, and with the attempt if the claim is lost; that
-- is what hold() tells a late worker by.

create or replace function caller()
  returns text
  language plpgsql
as $$
declare
  v_session text := current_setting('fetchq.session', true);
begin
  if coalesce(v_session, '') = '' then
    v_session := gen_random_uuid();
    perform set_config('fetchq.session', v_session, false);
  end if;
  return format('%s@%s#%s',
    coalesce(nullif(current_setting('application_name'), ''), 'client'),
    coalesce(host(inet_client_addr()), 'local'),
    v_session);
end;
$$;
