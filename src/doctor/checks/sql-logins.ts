import type { Check } from '../check.ts'
import { ask, type Examination } from '../examination.ts'
import type { Symptom } from '../finding.ts'
import { formatList } from '../format.ts'

interface Shared {
  readonly login: string
  readonly roles: string[]
}

/** Logins that run SQL tasks, and can become more than one of the roles these may run as. */
export const sqlLogins: Check = {
  name: 'sql-logins',
  fine: 'No login of SQL tasks can become several of the roles that they run as.',
  needsEngine: true,
  look: async (at) => (await sharedLogins(at)).map(asSymptom),
}

function asSymptom({ login, roles }: Shared): Symptom {
  return {
    level: 'warning',
    message: `SQL tasks that run with the login ${login} can become each of ${formatList(roles)}, whichever they were allowed.`,
    hint: 'Give each role a login of its own: sql.logins of startWorker(), or worker.sqlLogins of the configuration.',
    details: { login, roles },
  }
}

/** Those that are logged in for SQL tasks, and those that may claim without being superusers. */
function sharedLogins(at: Examination): Promise<Shared[]> {
  return ask<Shared>(
    at,
    `with allowed as (
       select distinct pg_roles.oid, rolname
       from ${at.quotedSchema}.sql_role join pg_roles on rolname = coalesce(nullif(sql_role.role, ''), submitter)
     ), logins as (
       select oid, rolname from pg_roles
       where rolcanlogin and not rolsuper and exists (
         select from pg_proc
         where pronamespace = to_regnamespace($1) and proname = 'claim'
           and has_function_privilege(pg_roles.oid, pg_proc.oid, 'execute'))
       union
       select usesysid, usename from pg_stat_activity
       where application_name = 'tusk sql' and datname = current_database()
     )
     select logins.rolname as login, array_agg(allowed.rolname::text order by allowed.rolname) as roles
     from logins join allowed on pg_has_role(logins.oid, allowed.oid, 'member')
     group by logins.rolname
     having count(*) > 1
     order by 1
     limit 5`,
    [at.quotedSchema],
  )
}
