-- write_audit() — one row of the audit, without secrets

create or replace function write_audit(p_caller jsonb, p_action text, p_object text, p_before jsonb, p_after jsonb)
  returns void
  language plpgsql
as $$
begin
  -- `login` is taken from the session, which must be the caller's: this refuses where it is not.
  perform session_role();
  insert into audit (actor, door, token, address, request, action, object, before, after)
  values (
    left(p_caller ->> 'actor', 200), left(p_caller ->> 'door', 50), (p_caller ->> 'token')::bigint,
    left(p_caller ->> 'address', 100), left(p_caller ->> 'request', 200), p_action, left(p_object, 500),
    without_secrets(nullif(p_before, 'null')), without_secrets(nullif(p_after, 'null')));
end;
$$;
