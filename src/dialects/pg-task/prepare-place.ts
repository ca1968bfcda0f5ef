import { type ClientBase, escapeIdentifier } from 'pg'
import { migrate } from '../../db/migrate.ts'
import { withClient } from '../../db/with-client.ts'
import { installDialect } from '../install-dialect.ts'
import type { ServiceConfig, TableEntry } from './config.ts'
import { createTaskTable } from './create-task-table.ts'
import { decidePlace, namesOf, type TaskPlace } from './task-place.ts'

/** A place that is ready to be served. */
export interface PreparedPlace extends TaskPlace {
  readonly url: string
  readonly queue: string
}

/**
 * Makes what is missing, as far as the login may: the role, the database, the engine in it, the
 * dialect, the schema and the table. What is there is left as it is, or brought to this version.
 */
export async function preparePlace(
  baseUrl: string,
  entry: TableEntry,
  config: ServiceConfig,
): Promise<PreparedPlace> {
  const home = entry.url ?? baseUrl
  const place = await withClient(home, async (client) => {
    await makeDatabase(client, namesOf(entry))
    return decidePlace(client, entry)
  })
  const url = urlOf(home, place.data)
  const { engineSchema, dialectSchema } = config
  await migrate(url, { schema: engineSchema })
  await installDialect(url, { dialect: 'pg-task', schema: dialectSchema, engineSchema })
  const { schema, table } = place
  const queue = await createTaskTable(url, { schema, table, dialectSchema })
  await withClient(url, (client) => grantTable(client, place, engineSchema))
  return { ...place, url, queue }
}

/** The same server and login, another database. */
function urlOf(home: string, database: string): string {
  // Not by URL, which reads no list of hosts.
  return home.replace(/^([^/]*\/\/[^/?#]*)[^?#]*/, (_, server: string) => {
    return `${server}/${encodeURIComponent(database)}`
  })
}

async function makeDatabase(
  client: ClientBase,
  { data, user }: { data: string; user: string },
): Promise<void> {
  const { rows } = await client.query<{ has_role: boolean; has_database: boolean }>(
    `select exists (select from pg_roles where rolname = $1) as has_role,
            exists (select from pg_database where datname = $2) as has_database`,
    [user, data],
  )
  const [found] = rows
  const [role, database] = [escapeIdentifier(user), escapeIdentifier(data)]
  if (found?.has_role === false) {
    await client.query(`create role ${role} login`)
    // The login runs tasks as this role.
    await client.query(`grant ${role} to current_user`)
  }
  if (found?.has_database === false) await client.query(`create database ${database} owner ${role}`)
}

/** The rights of the role: to write to the table, and to have SQL run as itself. */
async function grantTable(
  client: ClientBase,
  { schema, table, user }: TaskPlace,
  engineSchema: string,
): Promise<void> {
  const [inSchema, name, role] = [schema, table, user].map((each) => escapeIdentifier(each))
  await client.query(`grant usage on schema ${inSchema} to ${role}`)
  await client.query(`grant select, insert, update, delete on ${inSchema}.${name} to ${role}`)
  await client.query(`select ${escapeIdentifier(engineSchema)}.allow_sql($1, $1)`, [user])
}
