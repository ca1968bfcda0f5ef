-- find_token() — the token with this prefix, if it still holds; whoever asks compares the hash
--
-- No row for one that is unknown, revoked or expired. Writes down that it was used, at
-- most once a minute, and does not wait for others who do.

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
  if v_token.last_used_at is null or v_token.last_used_at <= v_now - interval '1 minute' then
    update tokens
    set last_used_at = v_now
    where id = (select id from tokens where id = v_token.id for no key update skip locked);
  end if;
  return query select v_token.id, v_token.name, v_token.hash, v_token.scopes, v_token.expires_at;
end;
$$;
