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
    return format('backoff kind %s is unknown; use none, fixed, exponential or never', coalesce(p_policy ->> 'kind', 'null'));
  end if;
  select min(name) into v_unknown
  from jsonb_object_keys(p_policy) as given (name)
  where name not in ('kind', 'base', 'cap', 'jitter');
  if v_unknown is not null then
    return format('backoff has no option %s; it has kind, base, cap and jitter', v_unknown);
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
  return null;
exception
  when data_exception then
    return format('backoff cannot be read: %s', sqlerrm);
end;
$$;
