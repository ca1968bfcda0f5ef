import type { Session } from './session.ts'

interface Rights {
  readonly login: string
  readonly attributes: string[]
  readonly others: string[]
}

/**
 * What a login could do that a role may not. RESET ROLE returns to the login, and SET ROLE from there to every role it
 * is a member of. So a session confines a role only if both add nothing. Membership counts whether or not it allows
 * SET: with ADMIN, a login could grant itself that.
 */
const question = `
  select session_user::text as login,
    array(
      select word
      from pg_catalog.pg_roles as login, pg_catalog.pg_roles as role,
        lateral (values ('SUPERUSER', login.rolsuper, role.rolsuper),
                        ('CREATEROLE', login.rolcreaterole, role.rolcreaterole),
                        ('BYPASSRLS', login.rolbypassrls, role.rolbypassrls),
                        ('REPLICATION', login.rolreplication, role.rolreplication)) as has (word, login, role)
      where login.rolname = session_user and role.rolname = $1 and has.login and not has.role
    ) as attributes,
    array(
      select rolname::text
      from pg_catalog.pg_roles
      where rolname <> session_user and pg_catalog.pg_has_role(session_user, oid, 'member')
        and not pg_catalog.pg_has_role($1, oid, 'member')
      order by rolname
      limit 5
    ) as others`

/** Why the login of a session has more rights than its role. Undefined if it has not. */
export async function exceedingRights(
  { client }: Session,
  role: string,
): Promise<string | undefined> {
  const { rows } = await client.query<Rights>(question, [role])
  const { login, attributes, others } = rows[0] ?? { login: '', attributes: [], others: [] }
  if (attributes.length > 0) {
    return `the login "${login}" is to run SQL as "${role}" alone, but has ${attributes.join(', ')}`
  }
  if (others.length === 0) return undefined
  const names = others.map((name) => `"${name}"`).join(', ')
  return `the login "${login}" is to run SQL as "${role}" alone, but may also become ${names}`
}
