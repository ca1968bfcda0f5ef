-- set_statement() — registers a statement, or takes it out of the register (null)
--
--   select set_statement('switch_on', '{
--     "sql": "update accounts set is_on = true where id = $1 and balance > 0",
--     "params": ["account"], "role": "billing", "granted_to": ["web"]}');
--
-- It runs as `role`, by default as the role that registers it, for the roles in granted_to
-- ("*": every role that may enqueue) and operators. With params it is one statement.

create or replace function set_statement(p_name text, p_statement jsonb)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('statement', p_name);
  c_names constant text[] := '{sql,params,role,connection,settings,granted_to}';
  v_given jsonb;
  v_fault text;
begin
  perform check_name('a statement', p_name);
  perform check_size('settings', 'the statement', p_statement);
  if p_statement is null then
    delete from sql_statements where name = p_name;
    perform audit_change('set_statement', 'statement', p_name, v_before);
    return;
  end if;
  perform check_settings(p_statement, c_names);
  select coalesce(jsonb_object_agg(given.name, given.value), '{}') into v_given
  from jsonb_each(p_statement) as given (name, value)
  where given.value <> 'null';
  v_fault := case
    when not v_given ? 'sql' then 'it has no sql'
    when not is_list_of_names(coalesce(v_given -> 'params', '[]')) then 'params must be a list of names'
    when not is_list_of_names(coalesce(v_given -> 'granted_to', '[]')) then 'granted_to must be a list of roles'
    when v_given ? 'connection' and jsonb_typeof(v_given -> 'connection') <> 'string'
      then 'connection must be the name of one'
    else sql_shape_fault(v_given - '{params,granted_to}'::text[])
  end;
  if v_fault is not null then
    perform refuse('TK004', format('statement %L is invalid: %s', p_name, v_fault),
                   'Write {"sql": "…", "params": ["name"], "role": "…", "settings": {}, "granted_to": ["role"]}.');
  end if;
  insert into sql_statements (name, sql, params, role, connection, settings, granted_to)
  values (
    p_name, v_given ->> 'sql',
    array(select jsonb_array_elements_text(coalesce(v_given -> 'params', '[]'))),
    case when v_given ? 'connection' then v_given ->> 'role' else coalesce(v_given ->> 'role', submitter()) end,
    v_given ->> 'connection',
    coalesce(v_given -> 'settings', '{}'),
    array(select jsonb_array_elements_text(coalesce(v_given -> 'granted_to', '[]'))))
  on conflict (name) do update
    set sql        = excluded.sql,
        params     = excluded.params,
        role       = excluded.role,
        connection = excluded.connection,
        settings   = excluded.settings,
        granted_to = excluded.granted_to;
  perform audit_change('set_statement', 'statement', p_name, v_before);
end;
$$;
