-- lost_error() — what the record of a lost attempt says

create or replace function lost_error(p_claim claims)
  returns jsonb
  language sql
  stable
as $$
  select jsonb_build_object(
    'code', 'lost',
    'message', format('worker "%s" stopped renewing its lease', p_claim.worker),
    'worker', p_claim.worker,
    'lease_expired_at', p_claim.expires_at);
$$;
