import { type ClientBase, escapeIdentifier, escapeLiteral } from 'pg'
import { translate } from './queryable.ts'

/** A search path on which no other role's function or operator can take precedence over those of Postgres. */
export const safeSearchPath = 'set local search_path = pg_catalog, pg_temp'

/**
 * Keeps Citus from repeating our DDL on other nodes: Tusk's tables are local, and roles and schemas that already exist
 * there would stop the install. Without Citus the setting is a placeholder that any login may set.
 */
export const localDdl = 'set local citus.enable_ddl_propagation = off'

/** The catalogs of everything a schema can hold, with its kind, name, schema and owner. */
const catalogs = [
  ['relation', 'pg_class', 'relname', 'relnamespace', 'relowner'],
  ['function', 'pg_proc', 'proname', 'pronamespace', 'proowner'],
  ['type', 'pg_type', 'typname', 'typnamespace', 'typowner'],
  ['operator', 'pg_operator', 'oprname', 'oprnamespace', 'oprowner'],
  ['operator class', 'pg_opclass', 'opcname', 'opcnamespace', 'opcowner'],
  ['operator family', 'pg_opfamily', 'opfname', 'opfnamespace', 'opfowner'],
  ['collation', 'pg_collation', 'collname', 'collnamespace', 'collowner'],
  ['conversion', 'pg_conversion', 'conname', 'connamespace', 'conowner'],
] as const

/**
 * What lets other roles change an engine, as rows of (rank, message, role). A verb runs with the rights of `owner` and
 * looks for names in the schema first. So each object there, and each right to create one, must belong to the owner or
 * a superuser. `schema` and `owner` are SQL for OIDs.
 */
export function foreignOwners(schema: string, owner: string): string {
  const objects = catalogs.map(
    ([kind, catalog, name, namespace, its]) =>
      `select 2, format('the ${kind} %I in the schema %I belongs to the role %I', ${name}, ${schema}::regnamespace::text, pg_get_userbyid(${its})), ${its}
       from pg_catalog.${catalog} where ${namespace} = ${schema}`,
  )
  return `
    select rank, message, role from (
      select 1, format('the schema %I belongs to the role %I', nspname, pg_get_userbyid(nspowner)), nspowner
      from pg_catalog.pg_namespace where oid = ${schema}
      union all
      select 3, format('the role %s may create objects in the schema %I',
                       case grantee when 0 then 'PUBLIC' else quote_ident(pg_get_userbyid(grantee)) end, nspname), grantee
      from pg_catalog.pg_namespace, aclexplode(nspacl)
      where oid = ${schema} and privilege_type = 'CREATE' and grantee <> nspowner
      union all
      ${objects.join('\n      union all\n      ')}
    ) as found (rank, message, role)
    where role <> ${owner} and not exists (
      select from pg_catalog.pg_roles as trusted
      where trusted.rolsuper and trusted.oid = role
         or role = to_regrole('pg_database_owner') and (trusted.oid = ${owner} or trusted.rolsuper)
            and trusted.oid = (select datdba from pg_catalog.pg_database where datname = current_database()))`
}

/** SQL that raises TK014 unless the existing schemas, with everything in them, belong to the role that runs it. */
export function requireOwnSchemas(schemas: readonly string[]): string {
  const names = schemas.map((schema) => escapeLiteral(escapeIdentifier(schema))).join(', ')
  return `do $tusk_owner$
declare
  v_name   text;
  v_schema oid;
  v_fault  record;
begin
  foreach v_name in array array[${names}] loop
    v_schema := to_regnamespace(v_name);
    continue when v_schema is null;
    -- Postgres 14 lets every role create in "public". No role keeps that right in a schema of Tusk.
    if exists (
      select from pg_catalog.pg_namespace, aclexplode(nspacl)
      where oid = v_schema and grantee = 0 and privilege_type = 'CREATE'
        and pg_has_role(current_user, nspowner, 'usage')
    ) then
      execute format('revoke create on schema %s from public', v_name);
    end if;
    select message, pg_get_userbyid(role) as role, rank into v_fault
    from (${foreignOwners('v_schema', '(select oid from pg_catalog.pg_roles where rolname = current_user)')}) as found
    order by rank, message
    limit 1;
    if found then
      raise exception using
        errcode = 'TK014',
        message = format('%s, and you are %I: that role could change the code that Tusk runs with your rights', v_fault.message, current_user),
        hint    = case v_fault.rank
          when 1 then format('Install as %1$I, for example with PGOPTIONS="-c role=%1$s"; or name another schema; or, if you trust what is in it: alter schema %2$s owner to %3$I', v_fault.role, v_name, current_user)
          when 2 then 'Look at what it is. Drop it, move it to another schema, or change its owner.'
          else format('Take the right back: revoke create on schema %s from that role.', v_name) end;
    end if;
  end loop;
end $tusk_owner$`
}

/** The same in a transaction of its own, before something reads from these schemas. */
export async function checkOwnSchemas(
  client: ClientBase,
  schemas: readonly string[],
): Promise<void> {
  try {
    await client.query(
      `begin; ${localDdl}; ${safeSearchPath}; ${requireOwnSchemas(schemas)}; commit`,
    )
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw translate(error)
  }
}
