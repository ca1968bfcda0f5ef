-- sql_fault() — why this role may not enqueue this SQL task; null when it may
--
-- Judged by who submits it, when it is submitted: a task that is stored may run.
-- Whoever may call pause() is an operator, whoever may call set_statement() an admin.

create or replace function sql_fault(p_payload jsonb, p_by text)
  returns text
  language plpgsql
  stable
as $$
declare
  c_names constant text[] := '{sql,statement,params,connection,role,session,settings,search_path,max_rows}';
  v_shape text;
begin
  if jsonb_typeof(p_payload) is distinct from 'object' then
    return 'the payload of a SQL task is an object such as {"sql": "select 1"}';
  end if;
  if p_payload - c_names <> '{}' then
    return format('its payload has %L, which means nothing; it may have %s',
                  (select min(name) from jsonb_object_keys(p_payload - c_names) as name), array_to_string(c_names, ', '));
  end if;
  if (p_payload ? 'sql') = (p_payload ? 'statement') then
    return 'its payload says either "sql" or "statement"';
  end if;
  v_shape := sql_shape_fault(p_payload);
  if v_shape is not null then
    return v_shape;
  end if;
  if p_payload ? 'statement' then
    return sql_statement_fault(p_payload, p_by);
  end if;
  return sql_text_fault(p_payload, p_by);
end;
$$;
