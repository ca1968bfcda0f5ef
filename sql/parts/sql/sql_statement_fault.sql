-- sql_statement_fault() — why this role may not enqueue a registered statement; null when it may
--
-- Everything but its parameters was decided when it was registered. What else a
-- payload may say would change what the statement does, so it is refused.

create or replace function sql_statement_fault(p_payload jsonb, p_by text)
  returns text
  language plpgsql
  stable
as $$
declare
  v_statement sql_statements;
  v_params    jsonb := p_payload -> 'params';
  v_missing   text[];
begin
  select * into v_statement from sql_statements where name = p_payload ->> 'statement';
  if not found or not (is_member_of(p_by, v_statement.granted_to) or has_function_privilege(p_by, 'pause(text)', 'execute')) then
    return format('%s may run no statement named %L', p_by, p_payload ->> 'statement');
  end if;
  if p_payload - '{statement,params,max_rows}'::text[] <> '{}' then
    return format('a registered statement takes params and max_rows, not %s',
                  (select min(name) from jsonb_object_keys(p_payload - '{statement,params,max_rows}'::text[]) as name));
  end if;
  if v_params is null and v_statement.params = '{}' then
    return null;
  end if;
  if jsonb_typeof(v_params) = 'array' then
    if jsonb_array_length(v_params) <> cardinality(v_statement.params) then
      return format('statement %L takes %s parameters', v_statement.name, cardinality(v_statement.params));
    end if;
    return null;
  end if;
  if jsonb_typeof(v_params) is distinct from 'object' then
    return format('statement %L needs params: %s', v_statement.name, array_to_string(v_statement.params, ', '));
  end if;
  v_missing := array(
    select name from unnest(v_statement.params) as name where not v_params ? name
    union all
    select name from jsonb_object_keys(v_params) as name where name <> all (v_statement.params));
  if v_missing <> '{}' then
    return format('statement %L takes the parameters %s; %L is missing or unknown',
                  v_statement.name, array_to_string(v_statement.params, ', '), v_missing[1]);
  end if;
  return null;
end;
$$;
