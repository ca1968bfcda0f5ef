-- set_push() — has the tasks of a queue delivered to an endpoint over HTTPS, or no longer (null)
--
--   select set_push('mail', '{
--     "url": "https://example.org/tasks", "secrets": [{"env": "TUSK_SECRET_PUSH"}], "timeout": "30 seconds"}');
--
-- Workers that push claim the tasks and send each of them as a signed request; see
-- docs/how-to/push.md. `secrets` says where workers find the keys of the signature: as an environment
-- variable (env), a file (file) or by asking the program (callback). Deliveries are signed with
-- each of them, so that the receiver can change from one to the next. Workers decide which
-- hosts and ports they connect to.

create or replace function set_push(p_queue text, p_push jsonb)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('push', p_queue);
  c_names  constant text[] := '{url,secrets,timeout}';
  v_fault  text;
begin
  perform check_queue(p_queue);
  if has_grants() then
    perform require_queues('operate', array[p_queue]);
  end if;
  if p_push is null then
    delete from push_endpoints where queue = p_queue;
    perform audit_change('set_push', 'push', p_queue, v_before);
    return;
  end if;
  perform check_size('settings', 'the endpoint', p_push);
  perform check_settings(p_push, c_names);
  v_fault := push_fault(p_push);
  if v_fault is not null then
    perform refuse('TK004', format('the endpoint of queue %s is invalid: %s', p_queue, v_fault),
                   'Write {"url": "https://example.org/tasks", "secrets": [{"env": "TUSK_SECRET_PUSH"}]}.');
  end if;
  insert into push_endpoints (queue, url, secrets, timeout, set_by, set_at)
  values (p_queue, p_push ->> 'url', p_push -> 'secrets',
          coalesce((p_push ->> 'timeout')::interval, '30 seconds'), submitter(), clock_timestamp())
  on conflict (queue) do update
    set url     = excluded.url,
        secrets = excluded.secrets,
        timeout = excluded.timeout,
        set_by  = excluded.set_by,
        set_at  = excluded.set_at;
  perform audit_change('set_push', 'push', p_queue, v_before);
end;
$$;

-- push_fault() — what is wrong with an endpoint; null when nothing is
--
-- http is for tests on one machine, and workers refuse it unless their configuration names the host.

create or replace function push_fault(p_push jsonb)
  returns text
  language plpgsql
  stable
as $$
begin
  if jsonb_typeof(p_push -> 'url') is distinct from 'string' then
    return 'it has no url';
  end if;
  if length(p_push ->> 'url') > 2000 or p_push ->> 'url' !~ e'^https?://[^\\s/?#@\\\\]+([/?][^\\s#\\\\]*)?$' then
    return 'url must be an address such as https://example.org/tasks, without a user and a fragment';
  end if;
  if jsonb_typeof(p_push -> 'secrets') is distinct from 'array'
     or jsonb_array_length(p_push -> 'secrets') not between 1 and 5 then
    return 'secrets must be a list of 1 to 5 places where workers find a secret';
  end if;
  if exists (
    select from jsonb_array_elements(p_push -> 'secrets') as given (secret) where not is_secret_place(given.secret)
  ) then
    return 'each of secrets must be {"env": "NAME"}, {"file": "/run/secrets/name"} or {"callback": "name"}';
  end if;
  if (p_push ->> 'timeout')::interval not between interval '1 second' and interval '1 hour' then
    return 'timeout must lie between 1 second and 1 hour';
  end if;
  return null;
exception
  when data_exception then
    return format('timeout cannot be read: %s', sqlerrm);
end;
$$;
