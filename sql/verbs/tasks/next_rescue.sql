-- next_rescue() — how long until a lease runs out, unless it is renewed
--
-- Null when nothing is held. Rescuers need not ask at fixed times: a healthy
-- holder renews long before, so asking once per lease finds the dead in time.

create or replace function next_rescue()
  returns interval
  language sql
  volatile
  security definer
  set search_path from current
as $$
  select min(expires_at) - clock_timestamp() from claims;
$$;
