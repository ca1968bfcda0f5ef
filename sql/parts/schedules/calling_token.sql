-- calling_token() — the token for which a door sets a schedule; null when there is none
--
-- Held until commit: the token is not revoked before the schedule is there to be paused.
-- A door may take a token for valid for some seconds longer, so one that was revoked is refused.

create or replace function calling_token()
  returns bigint
  language plpgsql
as $$
declare
  v_token tokens;
begin
  if not is_called() or read_caller() ->> 'token' is null then
    return null;
  end if;
  select * into v_token from tokens where id = (read_caller() ->> 'token')::bigint for share;
  if v_token.revoked_at is not null then
    perform refuse('TK013', format('token %s was revoked', v_token.id), 'Use another token.');
  end if;
  return v_token.id;
end;
$$;
