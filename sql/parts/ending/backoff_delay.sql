-- backoff_delay() — how long a task waits after its p_attempt-th attempt failed
--
--   {"kind": "none"}
--   {"kind": "fixed", "base": "30 seconds"}
--   {"kind": "exponential", "base": "1 second", "cap": "1 hour", "jitter": 0.2}
--   {"kind": "never"}
--
-- With never, end_attempts() does not come to ask: a failed attempt is the last.
-- Exponential is base × 2^attempt, never more than cap. Jitter spreads the delay
-- evenly over ± that share of it, so that tasks that failed together do not
-- return together.

create or replace function backoff_delay(p_policy jsonb, p_attempt integer)
  returns interval
  language plpgsql
  volatile
as $$
declare
  v_base   interval := coalesce(p_policy ->> 'base', '1 second')::interval;
  v_jitter double precision := coalesce((p_policy ->> 'jitter')::double precision, 0);
  v_delay  interval;
begin
  v_delay := case p_policy ->> 'kind'
    when 'none' then interval '0'
    when 'fixed' then v_base
    -- In seconds, because an interval would overflow before the cap is compared.
    else make_interval(secs => least(
      extract(epoch from v_base)::double precision * power(2, least(p_attempt, 900)),
      extract(epoch from coalesce(p_policy ->> 'cap', '1 hour')::interval)::double precision))
  end;
  return v_delay * (1 + v_jitter * (2 * random() - 1));
end;
$$;
