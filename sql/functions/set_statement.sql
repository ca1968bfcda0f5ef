-- set_statement() — registers a statement, or takes it out of the register (null)
--
--   select set_statement('switch_on', '{
--     "sql": "update accounts set is_on = true where id = $1 and balance > 0",
--     "params": ["account"], "role": "billing", "granted_to": ["web"]}');
--
-- It runs as `role`, by default as whoever registers it, for those in granted_to
-- ("*": everybody who may enqueue) and operators. With params it is one statement.

create or replace function set_statement(p_name text, p_statement jsonb)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := described('statement', p_name);
  c_names constant text[] := '{sql,params,role,connection,settings,granted_to}';
begin
  if coalesce(p_name, '') = '' or length(p_name) > 200 then
    perform refuse('TK004', 'a statement needs a name of 1 to 200 characters', 'Give it one.');
  end if;
  delete from sql_statements where name = p_name;
  if p_statement is null then
    perform note_change('set_statement', 'statement', p_name, v_before);
    return;
  end if;
  perform check_settings(p_statement, c_names);
  if coalesce(jsonb_typeof(p_statement -> 'sql') <> 'string', true)
     or coalesce(jsonb_typeof(p_statement -> 'params') <> 'array', false)
     or coalesce(jsonb_typeof(p_statement -> 'granted_to') <> 'array', false)
     or coalesce(jsonb_typeof(p_statement -> 'settings') <> 'object', false) then
    perform refuse('TK004', format('statement %L cannot be read', p_name),
                   'Write {"sql": "…", "params": ["name"], "role": "…", "settings": {}, "granted_to": ["role"]}.');
  end if;
  insert into sql_statements (name, sql, params, role, connection, settings, granted_to)
  values (
    p_name, p_statement ->> 'sql',
    array(select jsonb_array_elements_text(coalesce(p_statement -> 'params', '[]'))),
    case when p_statement ? 'connection' then p_statement ->> 'role' else coalesce(p_statement ->> 'role', submitter()) end,
    p_statement ->> 'connection',
    coalesce(p_statement -> 'settings', '{}'),
    array(select jsonb_array_elements_text(coalesce(p_statement -> 'granted_to', '[]'))));
  perform note_change('set_statement', 'statement', p_name, v_before);
end;
$$;
