-- end_request() — keeps the answer to a request that begin_request() called new
--
-- In the transaction of the effect, so that neither is there without the other.

create or replace function end_request(p_caller text, p_key text, p_status integer, p_headers jsonb, p_body text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if p_status is null or p_status not between 100 and 599 then
    perform refuse('TK004', format('%s is not a status of HTTP', coalesce(p_status::text, 'null')),
                   'Give a number from 100 to 599.');
  end if;
  if jsonb_typeof(coalesce(p_headers, '{}')) <> 'object' then
    perform refuse('TK004', 'headers must be a JSON object', 'Write {"content-type": "application/json"}.');
  end if;
  update requests
  set status  = p_status,
      headers = coalesce(p_headers, '{}'),
      body    = coalesce(p_body, '')
  where caller = p_caller and key = p_key and status is null;
  if not found then
    perform refuse('TK003', format('no request %L is under way', coalesce(p_key, 'null')),
                   'Call begin_request() first, in the same transaction.');
  end if;
end;
$$;
