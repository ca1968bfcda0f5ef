-- SQL tasks: what their payload may be.

-- sql_shape_fault() — what is invalid in the payload of a SQL task; null when nothing is

create or replace function sql_shape_fault(p_payload jsonb)
  returns text
  language plpgsql
  stable
as $$
declare
  c_session constant text[] := '{live,live_ms,count,save,scope}';
  v_session jsonb := p_payload -> 'session';
  v_name    text;
begin
  foreach v_name in array '{sql,statement,procedure,role,search_path}'::text[] loop
    if p_payload ? v_name and jsonb_typeof(p_payload -> v_name) <> 'string' then
      return format('%s must be text', v_name);
    end if;
  end loop;
  if p_payload ? 'allow_empty' and jsonb_typeof(p_payload -> 'allow_empty') <> 'boolean' then
    return 'allow_empty must be true or false';
  end if;
  if is_empty_sql(p_payload ->> 'sql') and p_payload -> 'allow_empty' is distinct from 'true' then
    return 'sql has no statement; write one, such as select 1';
  end if;
  if p_payload ? 'max_rows' and (
    jsonb_typeof(p_payload -> 'max_rows') <> 'number' or (p_payload ->> 'max_rows')::numeric not between 0 and 1000000
  ) then
    return 'max_rows must be a number from 0 to 1000000';
  end if;
  if p_payload ? 'max_bytes' and (
    jsonb_typeof(p_payload -> 'max_bytes') <> 'number'
    or (p_payload ->> 'max_bytes')::numeric
      not between 0 and case when p_payload -> 'whole' = 'true' then 200000000 else 15000000 end
  ) then
    return 'max_bytes must be a number from 0 to 15000000, or to 200000000 with "whole": true';
  end if;
  if p_payload ? 'whole' and jsonb_typeof(p_payload -> 'whole') <> 'boolean' then
    return 'whole must be true or false';
  end if;
  if p_payload ? 'announced' and jsonb_typeof(p_payload -> 'announced') <> 'boolean' then
    return 'announced must be true or false';
  end if;
  if p_payload ? 'connection' and coalesce(jsonb_typeof(p_payload -> 'connection') <> 'string'
     and jsonb_typeof(p_payload #> '{connection,dsn}') is distinct from 'string', true) then
    return 'connection must be a name, or {"dsn": "host=…"}';
  end if;
  if p_payload ? 'settings' then
    if jsonb_typeof(p_payload -> 'settings') <> 'object' then
      return 'settings must be an object such as {"lock_timeout": "5s"}';
    end if;
    select name into v_name
    from jsonb_each(p_payload -> 'settings') as given (name, value)
    where jsonb_typeof(value) not in ('string', 'number', 'boolean')
      or name !~ '^[A-Za-z_][A-Za-z0-9_$]*([.][A-Za-z_][A-Za-z0-9_$]*)*$'
      or lower(name) in ('role', 'session_authorization', 'client_encoding')
    limit 1;
    if lower(v_name) = 'client_encoding' then
      return 'client_encoding cannot be set; a run speaks UTF-8, and the server translates';
    end if;
    if found then
      return format('%L cannot be set; a run has its role in "role"', v_name);
    end if;
  end if;
  if v_session is null then
    return null;
  end if;
  if jsonb_typeof(v_session) <> 'object' or v_session - c_session <> '{}' then
    return 'session must be an object with live, count, save or scope';
  end if;
  begin
    if (v_session ->> 'live')::interval < interval '0' or not isfinite((v_session ->> 'live')::interval)
       or (v_session ->> 'count')::integer < 0 or jsonb_typeof(v_session -> 'save') <> 'boolean'
       or jsonb_typeof(v_session -> 'scope') <> 'string' then
      return 'of a session, live must be an interval and count a number, both from 0; save must be true or false, and '
             'scope text';
    end if;
  exception when data_exception then
    return 'of a session, live must be an interval such as ''1 hour'', and count a number';
  end;
  return null;
end;
$$;
