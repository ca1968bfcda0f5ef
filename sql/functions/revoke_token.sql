-- revoke_token() — a token no longer holds, from now on; once more changes nothing

create or replace function revoke_token(p_id bigint)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_token tokens;
begin
  select * into v_token from tokens where id = p_id for no key update;
  if not found then
    perform refuse('TK009', format('there is no token %s', coalesce(p_id::text, 'null')), 'The view token lists them.');
  end if;
  if v_token.revoked_at is not null then
    return;
  end if;
  update tokens set revoked_at = clock_timestamp() where id = p_id;
  perform note_action('revoke_token', 'token ' || p_id, jsonb_build_object('name', v_token.name, 'scopes', v_token.scopes), null);
end;
$$;
