-- open_session() — lets a browser in with a secret of its own instead of the token; answers until when
--
-- The caller makes the secret and hands over its SHA-256, and proves with the SHA-256 of
-- the token that it has seen that: find_token() does not give it out. Without a prefix it is the
-- token that the server was started with. At most 100 sessions of a token stay open.

create or replace function open_session(p_hash bytea, p_prefix text, p_token_hash bytea)
  returns timestamptz
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  c_lasts constant interval := interval '7 days';
  c_most  constant integer := 100;
  v_now   timestamptz := clock_timestamp();
  v_until timestamptz := v_now + c_lasts;
  v_token tokens;
  v_door  bytea := case when p_prefix is null then p_token_hash end;
begin
  if octet_length(p_hash) is distinct from 32 or octet_length(p_token_hash) is distinct from 32 then
    perform refuse('TK004', 'the hashes of a session and its token must have 32 bytes each',
                   'Give the SHA-256 of both secrets.');
  end if;
  if p_prefix is not null then
    select * into v_token
    from tokens
    where prefix = p_prefix and hash = p_token_hash and revoked_at is null
      and (expires_at is null or expires_at > v_now)
    for no key update;
    if not found then
      perform refuse('TK009', 'the token is invalid, expired or revoked', 'Create a token with tusk token create.');
    end if;
    v_until := least(v_until, v_token.expires_at);
  end if;
  delete from sessions
  where hash = any (array(
    select hash from sessions where token = v_token.id or door = v_door order by created_at desc offset c_most - 1));
  insert into sessions (hash, token, door, created_at, expires_at)
  values (p_hash, v_token.id, v_door, v_now, v_until);
  return v_until;
end;
$$;
