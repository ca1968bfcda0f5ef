-- set_connection() — gives a database elsewhere a name, or takes the name away (null)
--
--   select set_connection('reports', '{
--     "host": "reports.example.org", "dbname": "reports", "user": "tusk",
--     "secret": {"env": "TUSK_SECRET_REPORTS"}, "granted_to": ["analyst"]}');
--
-- The secret is not here: `secret` says where workers find it, as an environment
-- variable (env), a file (file) or by asking the program (callback). It is the
-- password, or a whole connection string if no host is named. Operators may use every
-- connection, others those granted to them; `roles` may be taken on there.

create or replace function set_connection(p_name text, p_connection jsonb)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('connection', p_name);
  c_options constant text[] := '{host,hostaddr,port,dbname,user,sslmode,connect_timeout,application_name,options,'
                               'target_session_attrs}';
  c_names   constant text[] := c_options || '{secret,roles,granted_to}';
  v_secret  jsonb := p_connection -> 'secret';
  v_fault   text;
begin
  perform check_name('a connection', p_name);
  perform check_size('settings', 'the connection', p_connection);
  if p_connection is null then
    delete from sql_connections where name = p_name;
    perform audit_change('set_connection', 'connection', p_name, v_before);
    return;
  end if;
  if p_connection ? 'password' then
    perform refuse('TK004', 'a connection must not contain a password',
                   'Keep the password where the worker runs, and name its place: '
                   '{"secret": {"env": "TUSK_SECRET_REPORTS"}}.');
  end if;
  perform check_settings(p_connection, c_names);
  if v_secret is not null and not is_secret_place(v_secret) then
    perform refuse('TK004', format('the secret of connection %L is invalid', p_name),
                   'Write {"env": "NAME"}, {"file": "/run/secrets/name"} or {"callback": "name"}.');
  end if;
  v_fault := case
    when not is_list_of_names(coalesce(p_connection -> 'roles', '[]')) then 'roles must be a list of roles'
    when not is_list_of_names(coalesce(p_connection -> 'granted_to', '[]')) then 'granted_to must be a list of roles'
    else (select format('%s must be text or a number', min(given.name))
          from jsonb_each(p_connection - '{secret,roles,granted_to}'::text[]) as given (name, value)
          where jsonb_typeof(given.value) not in ('string', 'number')
          having count(*) > 0)
  end;
  if v_fault is not null then
    perform refuse('TK004', format('connection %L is invalid: %s', p_name, v_fault),
                   'Write {"host": "…", "dbname": "…", "user": "…", "secret": {"env": "NAME"}, "granted_to": '
                   '["role"]}.');
  end if;
  insert into sql_connections (name, options, secret, roles, granted_to)
  values (
    p_name, p_connection - '{secret,roles,granted_to}'::text[], v_secret,
    array(select jsonb_array_elements_text(coalesce(p_connection -> 'roles', '[]'))),
    array(select jsonb_array_elements_text(coalesce(p_connection -> 'granted_to', '[]'))))
  on conflict (name) do update
    set options    = excluded.options,
        secret     = excluded.secret,
        roles      = excluded.roles,
        granted_to = excluded.granted_to;
  perform audit_change('set_connection', 'connection', p_name, v_before);
end;
$$;
