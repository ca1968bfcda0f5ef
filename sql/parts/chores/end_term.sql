-- end_term() — makes a chore free, if this worker leads it in this term, and tells the heir

create or replace function end_term(p_worker text, p_chore text, p_term bigint, p_how text, p_heir text)
  returns boolean
  language plpgsql
as $$
declare
  v_rests boolean := p_how in ('resign', 'error') or (p_how = 'rotation' and p_heir is not null);
begin
  update chores
  set holder          = null,
      expires_at      = clock_timestamp(),
      resign_asked_at = null,
      rest_holder     = case when v_rests then p_worker end,
      -- No longer than a lease: if there is nobody else after all, it comes back.
      rest_until      = case when v_rests then clock_timestamp() + least(every, ttl) + random() * interval '1 second' end
  where name = p_chore and holder = p_worker and term = p_term;
  if not found then
    return false;
  end if;
  update terms
  set ended_at = clock_timestamp(),
      how      = p_how
  where chore = p_chore and term = p_term and ended_at is null;
  perform pg_notify(current_schema() || ':chores', json_build_object('chore', p_chore, 'heir', p_heir)::text);
  return true;
end;
$$;
