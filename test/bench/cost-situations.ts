import pg from 'pg'
import { migrate } from '../../src/db/migrate.ts'

const queue = 'mail'

/** Rows that lie around, as many as a busy installation has: future, of another queue, of a lower priority. */
const million = `
  insert into tasks (id, created_at, run_at, priority, queue, handler, submitted_by, payload)
  select nextval('task_ids'), now(), now() + case when n % 3 = 0 then interval '1 day' else interval '-1 hour' end,
         case when n % 3 = 1 then -10 else 0 end, case when n % 3 = 2 then 'other' else '${queue}' end, 'mail', current_user,
         '{}'
  from generate_series(1, 1000000) as n`

const lanes = `select open_lanes('{${queue},${queue},other}', '{0,-10,0}')`

const halfMillion = `
  insert into tasks (id, created_at, run_at, queue, handler, submitted_by, payload)
  select nextval('task_ids'), now(), now() - interval '1 hour', '${queue}', 'mail', current_user, '{}'
  from generate_series(1, 500000) as n`

/** What is around the tasks whose cost is counted; the answer ends it. */
export const situations: Readonly<
  Record<string, (db: pg.Client, url: string) => Promise<() => Promise<void>>>
> = {
  'an empty table': async () => async () => {},
  'amid 1 M rows': async (db) => {
    await db.query(million)
    await db.query(lanes)
    await db.query('vacuum (analyze) tasks')
    return async () => {}
  },
  'under a held snapshot with 500,000 dead rows': async (db, url) => {
    const holder = new pg.Client(url)
    await holder.connect()
    await holder.query('begin isolation level repeatable read')
    await holder.query('select 1')
    await db.query(halfMillion)
    await db.query(lanes)
    await db.query('delete from tasks')
    await db.query('vacuum (analyze) tasks')
    return () => holder.end()
  },
}

/** A connection to a new schema of the working tree's engine. */
export async function openSchema(url: string, schema: string): Promise<pg.Client> {
  await migrate(url, { schema, roles: false })
  const db = new pg.Client(url)
  await db.connect()
  await db.query(`set search_path to ${pg.escapeIdentifier(schema)}`)
  return db
}
