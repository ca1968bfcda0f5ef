-- find_token() — the token with this prefix, if it still holds; the caller compares the hash
--
-- No row for one that is unknown, revoked or expired. `hash` is the SHA-256 of the stored
-- one: enough to tell whether a secret is right, and no proof for open_session(). Writes
-- down that it was used, at most once a minute.

create or replace function find_token(p_prefix text)
  returns table (id bigint, name text, hash bytea, scopes text[], expires_at timestamptz)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_now   timestamptz := clock_timestamp();
  v_token tokens;
begin
  select * into v_token
  from tokens
  where prefix = p_prefix and revoked_at is null and (expires_at is null or expires_at > v_now);
  if not found then
    return;
  end if;
  perform record_token_use(v_token, v_now);
  return query select v_token.id, v_token.name, sha256(v_token.hash), v_token.scopes, v_token.expires_at;
end;
$$;
