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
    if not v_operator and not exists (select from sql_roles where role in (p_by, '') and is_member_of(p_by, array[submitter])) then
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
