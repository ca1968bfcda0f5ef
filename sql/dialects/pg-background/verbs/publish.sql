-- The calls of the dialect in another schema, such as public, where users of pg_background have them.

-- pg_background_publish() — makes the calls of the dialect in another schema too
--
--   select background.pg_background_publish('public');
--
-- They are copies with the search path of the dialect: what other roles make in that schema is
-- never found by them. Rights are those of the original; every upgrade makes them anew. A
-- routine that is there and is not ours is left alone, and the call refused. For the owner.

create or replace function pg_background_publish(p_schema text default 'public')
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  v_definition text;
  v_schema  text := quote_ident(p_schema);
  v_routine pg_catalog.pg_proc;
  v_found   text;
  v_name    text;
begin
  if to_regnamespace(v_schema) is null or v_schema = quote_ident(current_schema()) then
    perform refuse('3F000', format('the calls of pg_background cannot be published in the schema %L', p_schema),
                   'Name a schema that exists and is not that of the dialect.');
  end if;
  if not has_schema_privilege(v_schema, 'create') then
    perform refuse('42501', format('%I may not create functions in the schema %I', current_user, p_schema),
                   format('Have its owner call: grant create on schema %s to %I', v_schema, current_user));
  end if;
  perform pg_background_unpublish(p_schema);
  insert into background_published (schema) values (p_schema) on conflict (schema) do nothing;
  for v_routine in
    select *
    from pg_catalog.pg_proc
    where pronamespace = quote_ident(current_schema())::regnamespace and proname ~ '^(grant_|revoke_)?pg_background_'
      and proname not in ('pg_background_publish', 'pg_background_unpublish')
    order by oid
  loop
    v_name := format('%s.%I(%s)', v_schema, v_routine.proname, pg_get_function_identity_arguments(v_routine.oid));
    select proname into v_found
    from pg_catalog.pg_proc
    where pronamespace = v_schema::regnamespace and proname = v_routine.proname
      and proargtypes = v_routine.proargtypes;
    if found then
      perform refuse('42723', format('the schema %I already has a function %I', p_schema, v_found),
                     'If it is of the extension, call first: drop extension pg_background');
    end if;
    v_definition := pg_get_functiondef(v_routine.oid);
    execute format('create %s %s.%I', case v_routine.prokind when 'p' then 'procedure' else 'function' end,
                   v_schema, v_routine.proname)
      || substr(v_definition, strpos(v_definition, '.' || v_routine.proname || '(') + length(v_routine.proname) + 1);
    perform background_copy_rights(v_routine, v_name);
    update background_published set routines = routines || v_name where schema = p_schema;
  end loop;
end;
$$;

-- pg_background_unpublish() — drops the calls that pg_background_publish() made in a schema

create or replace function pg_background_unpublish(p_schema text default 'public')
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  v_routine text;
begin
  for v_routine in
    select unnest(routines) from background_published where schema = p_schema
  loop
    execute 'drop routine if exists ' || v_routine;
  end loop;
  delete from background_published where schema = p_schema;
end;
$$;

-- background_publish_again() — after an upgrade, the calls in other schemas as they are now

create or replace function background_publish_again()
  returns void
  language sql
as $$
  select pg_background_publish(schema) from background_published;
$$;

-- background_copy_rights() — who may call a routine may call its copy

create or replace function background_copy_rights(p_routine pg_catalog.pg_proc, p_copy text)
  returns void
  language plpgsql
as $$
declare
  v_grantee text;
begin
  execute format('revoke all on routine %s from public', p_copy);
  for v_grantee in
    select case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end
    from aclexplode(coalesce(p_routine.proacl, acldefault('f', p_routine.proowner)))
    where grantee <> p_routine.proowner
  loop
    execute format('grant execute on routine %s to %s', p_copy, v_grantee);
  end loop;
end;
$$;
