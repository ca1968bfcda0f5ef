import type { Check } from '../check.ts'
import { ask, askOne, type Examination } from '../examination.ts'
import type { Symptom } from '../finding.ts'
import { formatList } from '../format.ts'

interface Mighty {
  readonly login: string
  readonly applications: string[]
  readonly may: 'superuser' | 'owner' | 'admin'
}

const says = {
  superuser: 'is a superuser: a task that escapes from it can read and change the whole server',
  owner:
    'owns the engine: a task that escapes from it can replace its functions and read its tables',
  admin: 'has the rights of an admin: a task that escapes from it can make tokens and allow SQL',
} as const

/** Programs of Tusk that are logged in with more rights than their work needs. */
export const logins: Check = {
  name: 'logins',
  fine: 'No worker, server or client is logged in with more rights than it needs.',
  needsEngine: true,
  look: async (at) => {
    const { sees_all } = await askOne<{ sees_all: boolean }>(
      at,
      `select pg_has_role('pg_read_all_stats', 'usage') as sees_all`,
    )
    return [...(await mightyLogins(at)).map(asSymptom), ...(sees_all ? [] : [unseen])]
  },
}

const unseen: Symptom = {
  level: 'notice',
  message: 'Which logins other programs of Tusk use could not be looked at.',
  hint: 'Look again with a login that is a member of pg_monitor.',
}

function asSymptom({ login, applications, may }: Mighty): Symptom {
  return {
    level: 'warning',
    message: `The login ${login} of ${formatList(applications)} ${says[may]}.`,
    hint: 'Let it log in as a role of its own, with tusk_worker for a worker, tusk_producer for a client and tusk_operator for a server.',
    details: { login, applications, may },
  }
}

/** A server may need the rights of an admin, to make tokens. */
function mightyLogins(at: Examination): Promise<Mighty[]> {
  return ask<Mighty>(
    at,
    `select login, may, array_agg(distinct application order by application) as applications
     from (
       select rolname as login, application_name as application,
              case
                when rolsuper then 'superuser'
                when application_name = 'tusk http' then null
                when pg_has_role(usesysid, nspowner, 'usage') then 'owner'
                when exists (
                  select from pg_proc
                  where pronamespace = pg_namespace.oid and proname = 'create_token'
                    and has_function_privilege(usesysid, pg_proc.oid, 'execute')) then 'admin'
              end as may
       from pg_stat_activity
       join pg_roles on pg_roles.oid = usesysid
       join pg_namespace on pg_namespace.oid = to_regnamespace($1)
       where datname = current_database() and application_name in ('tusk worker', 'tusk sql', 'tusk client', 'tusk http')
     ) as session
     where may is not null
     group by login, may
     order by login
     limit 10`,
    [at.quotedSchema],
  )
}
