import pg from 'pg'
import { type ClusterFiles, readPassword } from './cluster-files.ts'
import { systemCode } from './unavailable.ts'

export const database = 'tusk'

/** What the server says of itself to a client that knows its password. */
export interface Server {
  readonly url: string
  readonly version: string
  readonly dataDirectory: string
}

/** Logs in over the given port, makes Tusk's database if it is missing, and asks who is there. */
export async function login(files: ClusterFiles, port: number): Promise<Server> {
  const password = await readPassword(files)
  const found = await identify(port, password).catch(async (error: unknown) => {
    if (systemCode(error) !== '3D000') throw error
    await createDatabase(port, password)
    return identify(port, password)
  })
  return { ...found, url: `postgres://postgres:${password}@127.0.0.1:${port}/${database}` }
}

async function identify(port: number, password: string): Promise<Omit<Server, 'url'>> {
  const question = `select current_setting('data_directory') as "dataDirectory",
                           split_part(current_setting('server_version'), ' ', 1) as version`
  const { rows } = await ask<Omit<Server, 'url'>>(port, password, database, question)
  const [row] = rows
  if (row === undefined) throw new Error('the server gave no answer about itself')
  return row
}

async function createDatabase(port: number, password: string): Promise<void> {
  try {
    await ask(port, password, 'postgres', `create database ${database}`)
  } catch (error) {
    // Two starters may both find it missing. The loser sees either of these.
    if (!['42P04', '23505'].includes(systemCode(error) ?? '')) throw error
  }
}

/** Every field is given: what is left out, pg takes from PG* variables. */
export function clientConfig(port: number, password: string, into: string): pg.ClientConfig {
  return {
    ...{ host: '127.0.0.1', port, user: 'postgres', password, database: into },
    ...{ ssl: false, options: '', connectionTimeoutMillis: 10_000 },
  }
}

async function ask<Row extends pg.QueryResultRow>(
  port: number,
  password: string,
  into: string,
  question: string,
): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client(clientConfig(port, password, into))
  // A server that stops after its answer cuts the connection; unheard, that event ends the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.query<Row>(question)
  } finally {
    await client.end()
  }
}
