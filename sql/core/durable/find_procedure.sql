-- Which procedures can be durable.

-- find_procedure() — the qualified name of a procedure that takes so many arguments, or why it cannot be run
--
-- A name without a schema is looked for in p_schemas, in their order.

create or replace function find_procedure(
  p_name text, p_args integer, p_schemas text[], out name text, out fault text
)
  language plpgsql
  stable
as $$
declare
  v_parts text[];
  v_proc  pg_proc;
  v_ins   integer;
begin
  begin
    v_parts := parse_ident(p_name);
  exception when invalid_parameter_value then
    v_parts := '{}';
  end;
  if cardinality(v_parts) = 1 and p_schemas is null or coalesce(cardinality(v_parts), 0) not between 1 and 2 then
    fault := format('the procedure must be named with its schema, such as public.fulfil, not %L', left(p_name, 200));
    return;
  end if;
  if cardinality(v_parts) = 2 then
    p_schemas := v_parts[1:1];
  end if;
  -- One that fits, or else any of that name, to say what does not.
  select pg_proc.* into v_proc
  from pg_proc
  join pg_namespace on pg_namespace.oid = pronamespace
  where proname = v_parts[cardinality(v_parts)] and nspname = any (p_schemas)
  order by prokind = 'p' desc, (p_args between pronargs - pronargdefaults and pronargs) desc,
           array_position(p_schemas, nspname::text), pg_proc.oid
  limit 1;
  name := (select format('%I.%I', nspname, v_proc.proname) from pg_namespace where oid = v_proc.pronamespace);
  v_ins := v_proc.pronargs;
  fault := case
    when v_proc.oid is null then format('there is no procedure %s', left(p_name, 200))
    when v_proc.prokind <> 'p' then format('%s is a function; make it with CREATE PROCEDURE', name)
    when v_proc.proargmodes && '{o,b}'::"char"[] then format('procedure %s has OUT arguments', name)
    when v_proc.provariadic = 0 and p_args not between v_ins - v_proc.pronargdefaults and v_ins
      then format('procedure %s takes %s arguments, not %s', name, v_ins, p_args)
    when v_proc.prosecdef then format('procedure %s is SECURITY DEFINER, and cannot commit its steps', name)
    when v_proc.proconfig is not null then format('procedure %s has a SET clause, and cannot commit its steps', name)
  end;
end;
$$;

-- read_search_path() — the schemas that a setting of search_path names

create or replace function read_search_path(p_path text)
  returns text[]
  language sql
  stable
as $$
  select coalesce(array_agg(
    case when quoted = '$user' then submitter() when quoted is not null then replace(quoted, '""', '"')
         when word = '$user' then submitter() else lower(word) end order by place), '{}')
  from regexp_matches(p_path, '"((?:[^"]|"")*)"|([^,"[:space:]]+)', 'g') with ordinality as found (part, place)
  cross join lateral (select part[1] as quoted, part[2] as word) as each;
$$;

-- sql_procedure_fault() — why this payload of a SQL task does not name a procedure to run; null when it does

create or replace function sql_procedure_fault(p_payload jsonb)
  returns text
  language plpgsql
  stable
as $$
declare
  c_names constant text[] := '{procedure,args,role,settings,search_path,announced}';
  v_args  jsonb := coalesce(p_payload -> 'args', '[]');
begin
  if p_payload - c_names <> '{}' then
    return format('a procedure takes args, role, settings, search_path and announced, not %s',
                  (select min(name) from jsonb_object_keys(p_payload - c_names) as name));
  end if;
  if jsonb_typeof(v_args) <> 'array' or jsonb_path_exists(v_args, '$[*] ? (@.type() != "string" && @ != null)') then
    return 'args must be an array of texts, such as ["42"]';
  end if;
  return (find_procedure(p_payload ->> 'procedure', jsonb_array_length(v_args), null)).fault;
end;
$$;
