-- require_claims() — refuses a caller that may not consume the queue of one of these claims

create or replace function require_claims(p_claims bigint[])
  returns void
  language plpgsql
as $$
begin
  if has_grants() then
    perform require_queues('consume', array(select queue from claims where id = any (p_claims)));
  end if;
end;
$$;
