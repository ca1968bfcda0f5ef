-- Tokens of the network: when they were used last.

-- record_token_use() — writes down that a token was used, once a minute; waits for no other session

create or replace function record_token_use(p_token tokens, p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  if p_token.last_used_at is null or p_token.last_used_at <= p_now - interval '1 minute' then
    update tokens
    set last_used_at = p_now
    where id = (select id from tokens where id = p_token.id for no key update skip locked);
  end if;
end;
$$;
