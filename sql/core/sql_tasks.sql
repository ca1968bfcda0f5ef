-- SQL tasks: who may enqueue which.

-- sql_fault() — why this role may not enqueue this SQL task; null when it may
--
-- Judged by who submits it, when it is submitted: a task that is stored may run.
-- A role that may call pause() is an operator, one that may call set_statement() an admin.

create or replace function sql_fault(p_payload jsonb, p_by text)
  returns text
  language plpgsql
  stable
as $$
declare
  c_names constant text[] := '{sql,statement,procedure,args,params,connection,role,session,settings,search_path,'
                            'max_rows,allow_empty,announced,max_bytes,whole}';
  v_shape text;
begin
  if jsonb_typeof(p_payload) is distinct from 'object' then
    return 'the payload of a SQL task is an object such as {"sql": "select 1"}';
  end if;
  if p_payload - c_names <> '{}' then
    return format('its payload has %L, which means nothing; it may have %s',
                  (select min(name) from jsonb_object_keys(p_payload - c_names) as name),
                  array_to_string(c_names, ', '));
  end if;
  if (select count(*) from unnest('{sql,statement,procedure}'::text[]) as name where p_payload ? name) <> 1 then
    return 'its payload says either "sql" or "statement" or "procedure"';
  end if;
  v_shape := sql_shape_fault(p_payload);
  if v_shape is not null then
    return v_shape;
  end if;
  if p_payload ? 'statement' then
    return sql_statement_fault(p_payload, p_by);
  end if;
  if p_payload ? 'procedure' then
    return coalesce(sql_procedure_fault(p_payload), sql_text_fault(p_payload, p_by));
  end if;
  return sql_text_fault(p_payload, p_by);
end;
$$;

-- sql_text_fault() — why this role may not enqueue SQL of its own; null when it may

create or replace function sql_text_fault(p_payload jsonb, p_by text)
  returns text
  language plpgsql
  stable
as $$
declare
  v_admin      boolean := has_function_privilege(p_by, 'set_statement(text, jsonb)', 'execute');
  v_operator   boolean := v_admin or has_function_privilege(p_by, 'pause(text)', 'execute');
  v_role       text := p_payload ->> 'role';
  v_required   text := required_sql_role();
  v_connection sql_connections;
begin
  if p_payload ? 'params' then
    return 'params belong to a registered statement';
  end if;
  if v_required is not null and jsonb_typeof(p_payload -> 'connection') = 'object' then
    return 'SQL that comes this way takes no connection string; name a registered connection';
  end if;
  if v_required is not null and not p_payload ? 'connection' then
    if v_role <> v_required then
      return format('SQL that comes this way runs as %I, not as %L; leave the role out', v_required, v_role);
    end if;
    -- Any session can set it: the caller needs the right to that role all the same.
    v_role := v_required;
  end if;
  if not v_operator and not exists (select from sql_roles where is_member_of(p_by, array[submitter])) then
    return format('%s may not send SQL of its own', p_by);
  end if;

  if jsonb_typeof(p_payload -> 'connection') = 'string' then
    select * into v_connection from sql_connections where name = p_payload ->> 'connection';
    if not found or not (v_operator or is_member_of(p_by, v_connection.granted_to)) then
      return format('%s may use no connection named %L', p_by, p_payload ->> 'connection');
    end if;
    if v_role is not null and not v_admin and v_role <> all (v_connection.roles) then
      return format('role %L may not be taken on over connection %L', v_role, v_connection.name);
    end if;
  elsif p_payload ? 'connection' then
    return null;
  elsif v_role is null then
    if not v_operator
       and not exists (select from sql_roles where role in (p_by, '') and is_member_of(p_by, array[submitter])) then
      return format('%s may not have SQL run as itself; name a role it may use', p_by);
    end if;
  elsif v_role <> p_by and not v_admin
    and not exists (select from sql_roles where role = nullif(v_role, '') and is_member_of(p_by, array[submitter])) then
    return format('%s may not have SQL run as %L', p_by, v_role);
  elsif v_role = p_by and not v_operator
    and not exists (select from sql_roles where role in (p_by, '') and is_member_of(p_by, array[submitter])) then
    return format('%s may not have SQL run as itself; name a role it may use', p_by);
  end if;
  return null;
end;
$$;

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
  c_names constant text[] := '{statement,params,max_rows,max_bytes,whole}';
  v_statement sql_statements;
  v_params    jsonb := p_payload -> 'params';
  v_missing   text[];
begin
  select * into v_statement from sql_statements where name = p_payload ->> 'statement';
  if not found
     or not (is_member_of(p_by, v_statement.granted_to) or has_function_privilege(p_by, 'pause(text)', 'execute')) then
    return format('%s may run no statement named %L', p_by, p_payload ->> 'statement');
  end if;
  if p_payload - c_names <> '{}' then
    return format('a registered statement takes params, max_rows, max_bytes and whole, not %s',
                  (select min(name) from jsonb_object_keys(p_payload - c_names) as name));
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

-- check_sql() — refuses a SQL task that its submitter may not have; gives its payload as it is stored

create or replace function check_sql(p_payload jsonb, p_by text)
  returns jsonb
  language plpgsql
as $$
declare
  v_fault text := sql_fault(p_payload, p_by);
begin
  if v_fault is not null then
    perform refuse('TK004', 'invalid SQL task: ' || v_fault,
                   'Nothing was changed. Correct the task, or ask an admin for the right.');
  end if;
  return sql_payload(p_payload, p_by);
end;
$$;

-- sql_payload() — the payload of a SQL task as it is stored, with what was left open decided
--
-- It runs as the role that submits it, or as the one that required_sql_role() names,
-- unless it says otherwise; at another database, as the login there. What a session may live is
-- kept in milliseconds too, for only Postgres reads intervals as Postgres does.

create or replace function sql_payload(p_payload jsonb, p_by text)
  returns jsonb
  language sql
  stable
as $$
  select p_payload
    || case when p_payload ? 'role' or p_payload ? 'statement' or p_payload ? 'connection' then '{}'
            else jsonb_build_object('role', coalesce(required_sql_role(), p_by)) end
    || case when p_payload #> '{session,live}' is null then '{}'
            else jsonb_build_object('session', p_payload -> 'session' || jsonb_build_object(
              'live_ms', (extract(epoch from (p_payload #>> '{session,live}')::interval) * 1000)::bigint)) end;
$$;

-- limit_sql_output() — the payload of a SQL task as a worker gets it, with the limits of its queue
--
-- What the task says goes before them. A queue does not decide on an output that is to be kept
-- whole. One expression, so Postgres inlines it into the claim.

create or replace function limit_sql_output(p_payload jsonb, p_rows integer, p_bytes integer)
  returns jsonb
  language sql
  immutable
as $$
  select case when coalesce(p_rows, p_bytes) is null or p_payload -> 'whole' = 'true' then p_payload
              else jsonb_strip_nulls(jsonb_build_object('max_rows', p_rows, 'max_bytes', p_bytes)) || p_payload end;
$$;

-- required_sql_role() — the role that SQL of this session's callers has to run as; null when they may choose
--
-- A server that takes SQL from the network opens its connections with the setting
-- tusk.sql_role. Whatever text its callers send then runs as that role, also in a
-- schedule or after a change of the payload. A schedule that fires acts for the role
-- that set it, so the setting does not count there. It binds callers who cannot send
-- SQL on this very session: who can may change the setting.

create or replace function required_sql_role()
  returns text
  language sql
  stable
as $$
  select nullif(current_setting('tusk.sql_role', true), '')
  where coalesce(current_setting('tusk.acting_for', true), '') = '' or acting_for() is null;
$$;

-- is_list_of_names() — whether this is a JSON array of texts, each of which is there once

create or replace function is_list_of_names(p_list jsonb)
  returns boolean
  language sql
  immutable
as $$
  select case when jsonb_typeof(p_list) = 'array' then (
    select coalesce(bool_and(jsonb_typeof(name) = 'string') and count(*) = count(distinct name), true)
    from jsonb_array_elements(p_list) as name) else false end;
$$;

-- is_secret_place() — whether this says where a worker finds a secret: {"env": …}, {"file": …} or {"callback": …}

create or replace function is_secret_place(p_secret jsonb)
  returns boolean
  language sql
  immutable
as $$
  select case when jsonb_typeof(p_secret) = 'object' then
    (select count(*) from jsonb_object_keys(p_secret)) = 1
    and p_secret - '{env,file,callback}'::text[] = '{}'
    and not p_secret @? '$.* ? (@.type() != "string")'
  else false end;
$$;
