import type { Queryable } from '../../db/queryable.ts'
import type { TableEntry } from './config.ts'

/** Where a table is, and how it is served, with everything decided. */
export interface TaskPlace {
  readonly data: string
  readonly user: string
  readonly schema: string
  readonly table: string
  readonly sleepMs: number
  readonly resetMs: number
  readonly run: number
}

/** The database of an entry, and the role that it is for: by default each is named like the other. */
export function namesOf({ data, user }: TableEntry): { data: string; user: string } {
  return { data: data ?? user ?? 'postgres', user: user ?? data ?? 'postgres' }
}

/** What the entry leaves out is a setting of its role, else of its database, else built in. */
export async function decidePlace(db: Queryable, entry: TableEntry): Promise<TaskPlace> {
  const { data, user } = namesOf(entry)
  const settings = await readSettings(db, data, user)
  const reset = entry.reset ?? settings.get('pg_task.reset') ?? '1 hour'
  const { rows } = await db.query<{ ms: number }>(
    'select extract(epoch from $1::interval)::float8 * 1000 as ms',
    [reset],
  )
  return {
    data,
    user,
    schema: entry.schema ?? settings.get('pg_task.schema') ?? 'public',
    table: entry.table ?? settings.get('pg_task.table') ?? 'task',
    sleepMs: entry.sleep ?? Number(settings.get('pg_task.sleep') ?? 1_000),
    resetMs: rows[0]?.ms ?? 0,
    run: entry.run ?? Number(settings.get('pg_task.run') ?? 10),
  }
}

/** The most particular setting of each name: of the role in the database, the role, the database. */
async function readSettings(
  db: Queryable,
  data: string,
  user: string,
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ setting: string }>(
    `select unnest(setconfig) as setting
     from pg_db_role_setting
     left join pg_database on pg_database.oid = setdatabase
     left join pg_roles on pg_roles.oid = setrole
     where (setdatabase = 0 or datname = $1) and (setrole = 0 or rolname = $2)
     order by setrole <> 0, setdatabase <> 0`,
    [data, user],
  )
  return new Map(
    rows.map(({ setting }) => {
      const at = setting.indexOf('=')
      return [setting.slice(0, at), setting.slice(at + 1)] as const
    }),
  )
}
