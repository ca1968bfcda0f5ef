-- create_token() — stores a token with these scopes, by the hash of its secret; answers with its id
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
    perform refuse('TK004', 'the prefix of a token must have 8 letters or digits',
                   'Let the client make it: tusk.tokens.create().');
  end if;
  if octet_length(p_hash) is distinct from 32 then
    perform refuse('TK004', 'the hash of a token must have 32 bytes', 'Give the SHA-256 of the whole token.');
  end if;
  perform check_scopes(p_scopes);
  if p_expires_at <= v_now then
    perform refuse('TK004', format('the token would have expired at %s already', p_expires_at),
                   'Give a time in the future, or null.');
  end if;
  insert into tokens (name, prefix, hash, scopes, created_at, created_by, expires_at)
  values (
    p_name, p_prefix, p_hash, array(select distinct scope from unnest(p_scopes) as scope order by scope), v_now,
    submitter(), nullif(p_expires_at, 'infinity'))
  on conflict (prefix) do nothing
  returning id into v_id;
  if v_id is null then
    perform refuse('TK004', format('token %s already exists', p_prefix), 'Make another secret.');
  end if;
  perform audit_action('create_token', 'token ' || v_id, null,
                      jsonb_build_object('name', p_name, 'prefix', p_prefix, 'scopes', p_scopes, 'expires_at',
                                         p_expires_at));
  return v_id;
end;
$$;

-- check_scopes() — refuses what cannot be the scopes of a token

create or replace function check_scopes(p_scopes text[])
  returns void
  language plpgsql
as $$
declare
  c_known    constant text[] := '{read,enqueue,consume,sql,operate,admin}';
  c_of_queue constant text[] := '{enqueue,consume}';
  v_scope text;
  v_word  text;
begin
  if coalesce(cardinality(p_scopes), 0) = 0 or cardinality(p_scopes) > 100 then
    perform refuse('TK004', 'a token must have 1 to 100 scopes',
                   format('The scopes are %s.', array_to_string(c_known, ', ')));
  end if;
  foreach v_scope in array p_scopes loop
    v_word := split_part(coalesce(v_scope, ''), ':', 1);
    if v_word <> all (c_known) then
      perform refuse('TK004', format('unknown scope %L', v_scope),
                     concat_ws(' ', 'Did you mean ' || suggest_word(v_word, c_known) || '?',
                               format('The scopes are %s; enqueue:mail and consume:mail are for one queue.',
                                      array_to_string(c_known, ', '))));
    end if;
    continue when v_scope = v_word;
    if v_word <> all (c_of_queue) then
      perform refuse('TK004', format('scope %L cannot be limited to one queue', v_word),
                     'Only enqueue and consume can, as in enqueue:mail.');
    end if;
    perform check_queue(substr(v_scope, length(v_word) + 2));
  end loop;
end;
$$;
