-- find_session() — whose session this is, if it is open and its token holds; p_door is the server's own token
--
-- Name, scopes and id are null for a session of the server's own token. Scopes are those
-- that the token has now.

create or replace function find_session(p_hash bytea, p_door bytea default null)
  returns table (id bigint, name text, scopes text[], expires_at timestamptz)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_now     timestamptz := clock_timestamp();
  v_session sessions;
  v_token   tokens;
begin
  select * into v_session from sessions where hash = p_hash and expires_at > v_now;
  if not found then
    return;
  end if;
  if v_session.token is null then
    if v_session.door = p_door then
      return query select null::bigint, null::text, null::text[], v_session.expires_at;
    end if;
    return;
  end if;
  select * into v_token
  from tokens
  where id = v_session.token and revoked_at is null and (expires_at is null or expires_at > v_now);
  if found then
    perform record_token_use(v_token, v_now);
    return query select v_token.id, v_token.name, v_token.scopes, least(v_session.expires_at, v_token.expires_at);
  end if;
end;
$$;
