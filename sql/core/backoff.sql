-- How long a failed task waits for its next attempt.

-- backoff_delay() — how long a task waits after its p_attempt-th attempt failed
--
--   {"kind": "none"}
--   {"kind": "fixed", "base": "30 seconds"}
--   {"kind": "exponential", "base": "1 second", "cap": "1 hour", "jitter": 0.2}
--   {"kind": "never"}
--   {"kind": "none", "on_permanent": "retry"}
--
-- on_permanent is for SQL tasks: whether an error that no attempt can fix (is_permanent()) is
-- retried all the same, or fails the task, which is the default.
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

-- backoff_fault() — what is wrong with a backoff policy; null when nothing is

create or replace function backoff_fault(p_policy jsonb)
  returns text
  language plpgsql
  stable
as $$
declare
  v_unknown text;
begin
  if jsonb_typeof(p_policy) <> 'object' then
    return 'backoff must be an object such as {"kind": "fixed", "base": "30 seconds"}';
  end if;
  if coalesce(p_policy ->> 'kind', '') not in ('none', 'fixed', 'exponential', 'never') then
    return format('backoff kind %s is unknown; use none, fixed, exponential or never',
                  coalesce(p_policy ->> 'kind', 'null'));
  end if;
  select min(name) into v_unknown
  from jsonb_object_keys(p_policy) as given (name)
  where name not in ('kind', 'base', 'cap', 'jitter', 'on_permanent');
  if v_unknown is not null then
    return format('backoff has no option %s; it has kind, base, cap, jitter and on_permanent', v_unknown);
  end if;
  if (p_policy ->> 'base')::interval < interval '0' or (p_policy ->> 'cap')::interval < interval '0' then
    return 'backoff base and cap must not be negative';
  end if;
  if greatest((p_policy ->> 'base')::interval, (p_policy ->> 'cap')::interval) > interval '1000 years' then
    return 'backoff base and cap must be 1000 years or less';
  end if;
  if (p_policy ->> 'jitter')::double precision not between 0 and 1 then
    return 'backoff jitter must lie between 0 and 1';
  end if;
  if coalesce(p_policy ->> 'on_permanent', 'fail') not in ('fail', 'retry') then
    return format('backoff on_permanent %L is unknown; use fail or retry', p_policy ->> 'on_permanent');
  end if;
  return null;
exception
  when data_exception then
    return format('backoff cannot be read: %s', sqlerrm);
end;
$$;
