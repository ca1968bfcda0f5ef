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
