import type { SqlFile } from '../../db/sql-files.ts'
import type { Check } from '../check.ts'
import { ask, askOne, type Examination } from '../examination.ts'
import type { Symptom } from '../finding.ts'
import { formatList } from '../format.ts'

interface Grant {
  readonly kind: 'verb' | 'view'
  readonly role: string
  readonly name: string
}

/** A migrator that finds nothing to do does not look at rights either. */
function again({ quotedSchema }: Examination): string {
  return `Have them given again: delete from ${quotedSchema}.installed where path = 'grants.sql'; then: tusk migrate up, with the same --roles as before`
}

/** Who may call what, against grants.sql. */
export const grants: Check = {
  name: 'grants',
  fine: 'The roles of Tusk have the rights they need, and no other role has any.',
  needsEngine: true,
  look: async (at) => {
    const open = await openToAll(at)
    const prefixes = await rolePrefixes(at)
    const missing = (await Promise.all(prefixes.map((prefix) => missingOf(at, prefix)))).flat()
    return [
      ...(open.length > 0 ? [openness(at, open)] : []),
      ...(missing.length > 0 ? [lack(at, missing)] : []),
      ...(await rolesMissing(at)),
    ]
  },
}

function openness(at: Examination, objects: string[]): Symptom {
  const message = `Every login of the database has rights on ${formatList(objects)}.`
  return { level: 'problem', message, hint: again(at), details: { objects } }
}

function lack(at: Examination, missing: string[]): Symptom {
  const message = `Rights are missing: ${formatList(missing)}.`
  return { level: 'problem', message, hint: again(at), details: { missing } }
}

/** The names of the roles begin as configured at migration; the schema stores them. */
async function rolePrefixes(at: Examination): Promise<string[]> {
  const rows = await ask<{ prefix: string }>(
    at,
    `select distinct left(rolname, -length('_producer')) as prefix
     from pg_namespace
     cross join aclexplode(nspacl) as given
     join pg_roles on pg_roles.oid = given.grantee
     where pg_namespace.oid = to_regnamespace($1) and privilege_type = 'USAGE' and rolname like '%\\_producer'`,
    [at.quotedSchema],
  )
  return rows.map(({ prefix }) => prefix)
}

async function rolesMissing(at: Examination): Promise<Symptom[]> {
  const { missing } = await askOne<{ missing: boolean }>(
    at,
    `select exists (select from ${at.quotedSchema}.installed where path = 'grants.sql' and hash = 'roles missing') as missing`,
  )
  const message = 'Not all roles could be made when the schema was migrated.'
  const hint = 'Run: tusk migrate up, as the owner of the schema and with CREATEROLE.'
  return missing ? [{ level: 'warning', message, hint }] : []
}

async function openToAll(at: Examination): Promise<string[]> {
  const rows = await ask<{ name: string }>(
    at,
    `select distinct name
     from (
       select proname || '()', coalesce(proacl, acldefault('f', proowner))
       from pg_proc where pronamespace = to_regnamespace($1)
       union all
       select relname, relacl from pg_class where relnamespace = to_regnamespace($1)
       union all
       select 'the schema', nspacl from pg_namespace where oid = to_regnamespace($1)
     ) as object (name, acl)
     cross join aclexplode(acl) as given
     where given.grantee = 0
     order by 1`,
    [at.quotedSchema],
  )
  return rows.map(({ name }) => name)
}

async function missingOf(at: Examination, prefix: string): Promise<string[]> {
  const wanted = grantsIn(await at.files())
  const rows = await ask<{ role: string; name: string }>(
    at,
    `with wanted as (
       select $2 || '_' || role as role, kind, name
       from json_to_recordset($3) as given (kind text, role text, name text)
     )
     select role, name
     from wanted
     join pg_roles on rolname = role
     where case kind
       when 'verb' then exists (
         select from pg_proc
         where pronamespace = to_regnamespace($1) and proname = name
           and not has_function_privilege(pg_roles.oid, pg_proc.oid, 'execute')
       )
       else exists (
         select from pg_class
         where relnamespace = to_regnamespace($1) and relname = name and relkind = 'v'
           and not has_table_privilege(pg_roles.oid, pg_class.oid, 'select')
       )
     end
     order by role, name`,
    [at.quotedSchema, prefix, JSON.stringify(wanted)],
  )
  return rows.map(({ role, name }) => `${role} on ${name}`)
}

/** grants.sql names a role and then what it may use. */
function grantsIn(files: readonly SqlFile[]): Grant[] {
  const text = files.find(({ path }) => path === 'grants.sql')?.text ?? ''
  const lines = text.replaceAll(/^--.*$/gm, '').matchAll(/\bgrant_(verb|view)\(([^)]*)\)/g)
  return [...lines].flatMap(([, kind, list = '']) => {
    const [role = '', ...names] = [...list.matchAll(/'([^']+)'/g)].map(([, word = '']) => word)
    return names.map((name) => ({ kind: kind as Grant['kind'], role, name }))
  })
}
