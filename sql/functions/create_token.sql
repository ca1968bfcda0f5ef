-- create_token() — lets whoever knows its secret in, with these scopes; answers with its id
--
-- The caller makes the secret, tusk_<prefix>_<43 characters>, shows it once and hands
-- over its SHA-256 only. Without p_expires_at it holds until it is revoked.

create or replace function create_token(
  p_name       text,
  p_prefix     text,
  p_hash       bytea,
  p_scopes     text[],
  p_expires_at timestamptz default null
)
  returns bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_id  bigint;
begin
  perform check_name('a token', p_name);
  if p_prefix is null or p_prefix !~ '^[A-Za-z0-9]{8}$' then
    perform refuse('TK004', 'the prefix of a token has 8 letters or digits', 'Leave it to the client: tusk.tokens.create().');
  end if;
  if octet_length(p_hash) is distinct from 32 then
    perform refuse('TK004', 'the hash of a token has 32 bytes', 'Give the SHA-256 of the whole token.');
  end if;
  perform check_scopes(p_scopes);
  if p_expires_at <= v_now then
    perform refuse('TK004', format('a token cannot expire in the past (%s)', p_expires_at), 'Give a time that is still to come, or none.');
  end if;
  insert into tokens (name, prefix, hash, scopes, created_at, created_by, expires_at)
  values (
    p_name, p_prefix, p_hash, array(select distinct scope from unnest(p_scopes) as scope order by scope), v_now,
    submitter(), nullif(p_expires_at, 'infinity'))
  on conflict (prefix) do nothing
  returning id into v_id;
  if v_id is null then
    perform refuse('TK004', format('there is a token %s already', p_prefix), 'Make another secret.');
  end if;
  perform note_action('create_token', 'token ' || v_id, null,
                      jsonb_build_object('name', p_name, 'prefix', p_prefix, 'scopes', p_scopes, 'expires_at', p_expires_at));
  return v_id;
end;
$$;
