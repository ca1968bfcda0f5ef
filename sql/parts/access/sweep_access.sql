-- sweep_access() — forgets answers after their 24 hours, sessions and operations after 7 days, the audit after 90

create or replace function sweep_access(p_limit integer, p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  delete from requests
  where ctid = any (array(select ctid from requests where expires_at <= p_now limit p_limit for update skip locked));
  delete from sessions
  where ctid = any (array(select ctid from sessions where expires_at <= p_now limit p_limit for update skip locked));
  delete from operations
  where ctid = any (array(
    select ctid from operations where ended_at < p_now - interval '7 days' limit p_limit for update skip locked));
  -- An hour later than the trigger audit_is_kept would allow it: clocks are set now and then.
  delete from audit
  where ctid = any (array(
    select ctid from audit where at < p_now - interval '90 days 1 hour' order by at limit p_limit));
  -- Tokens that let nobody in are kept as long as the audit may name them.
  delete from tokens where least(revoked_at, expires_at) < p_now - interval '91 days';
end;
$$;
