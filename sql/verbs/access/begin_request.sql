-- begin_request() — a request that must take effect once: is it new, under way, or answered already?
--
--   new        go on, in this transaction, and end it with end_request()
--   done       it was answered before: status, headers and body are what was said
--   busy       another transaction deals with it at this moment
--   different  the key was used before, for another request
--
-- p_caller keeps the keys of one caller apart from those of others; p_fingerprint is a
-- digest of all that makes the request what it is. The effect and the answer commit
-- together: after a crash between them there is neither. An answer is kept for 24 hours.

create or replace function begin_request(
  p_caller      text,
  p_key         text,
  p_fingerprint bytea,
  out state   text,
  out status  integer,
  out headers jsonb,
  out body    text
)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_now  timestamptz := clock_timestamp();
  v_made requests;
begin
  if coalesce(p_caller, '') = '' or length(p_caller) > 255 or coalesce(p_key, '') = '' or length(p_key) > 255 then
    perform refuse('TK004', 'a request needs a caller and a key of 1 to 255 characters each',
                   'Give a key that no other request of the caller has, such as a UUID.');
  end if;
  if coalesce(octet_length(p_fingerprint), 0) not between 1 and 64 then
    perform refuse('TK004', 'a request needs a fingerprint of 1 to 64 bytes',
                   'Give a digest of its method, path and body.');
  end if;
  -- Held until commit or rollback; the session that gets it next sees the row, if there is one.
  if not pg_try_advisory_xact_lock(
    hashtextextended(format('%I request %L %L', current_schema(), p_caller, p_key), 0)) then
    state := 'busy';
    return;
  end if;

  select * into v_made from requests
  where caller = p_caller and key = p_key and requests.status is not null and expires_at > v_now;
  if found then
    state := case when v_made.fingerprint = p_fingerprint then 'done' else 'different' end;
    if state = 'done' then
      status := v_made.status;
      headers := v_made.headers;
      body := v_made.body;
    end if;
    return;
  end if;
  insert into requests (caller, key, fingerprint, created_at, expires_at)
  values (p_caller, p_key, p_fingerprint, v_now, v_now + interval '24 hours')
  on conflict (caller, key) do update
    set fingerprint = excluded.fingerprint,
        status      = null,
        headers     = null,
        body        = null,
        created_at  = excluded.created_at,
        expires_at  = excluded.expires_at;
  state := 'new';
end;
$$;
