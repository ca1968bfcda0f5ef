import { readFile, writeFile } from 'node:fs/promises'
import pg from 'pg'
import { type ClusterFiles, readPassword } from './cluster-files.ts'
import { clientConfig, database } from './login.ts'

/** Advisory locks have numbers; this one is "tusk" in ASCII. */
const lock = 0x7475736b

/**
 * A program's share in a running cluster: a shared advisory lock, held by a session for as long as the program uses the
 * cluster. The last program that leaves stops Postgres. Postgres itself keeps the books, so a program that is killed has left.
 */
export interface Share {
  /**
   * Gives the share back. True when no other program has one; none can join then until `end` is called or Postgres stops.
   */
  leave(): Promise<boolean>
  end(): Promise<void>
}

/** Undefined when Postgres stopped before we were in: the program that stopped it was the last one until then. */
export async function joinCluster(files: ClusterFiles, port: number): Promise<Share | undefined> {
  const client = await connect(files, port)
  if (client === undefined) return undefined
  try {
    await client.query('select pg_catalog.pg_advisory_lock_shared($1)', [lock])
  } catch {
    await endQuietly(client)
    return undefined
  }
  // A program that has nothing more to do may end without giving its share back.
  idle(client).unref()
  return shareOf(client, files, port)
}

/** Makes Postgres stay when no program uses it, until it is stopped by `tusk db stop`. */
export async function keepCluster(files: ClusterFiles, pid: number): Promise<void> {
  await writeFile(files.kept, `${pid}\n`)
}

export async function isKept(files: ClusterFiles, pid: number): Promise<boolean> {
  return Number(await readFile(files.kept, 'utf8').catch(() => '0')) === pid
}

function shareOf(joined: pg.Client, files: ClusterFiles, port: number): Share {
  let client: pg.Client | undefined = joined
  const leave = async (): Promise<boolean> => {
    try {
      if (client !== undefined) idle(client).ref()
      await client?.query('select pg_catalog.pg_advisory_unlock_shared($1)', [lock])
    } catch {
      // Our session was lost, and the share with it.
      client = await connect(files, port)
    }
    if (client === undefined) return true
    const { rows } = await client.query<{ last: boolean }>(
      'select pg_catalog.pg_try_advisory_lock($1) as last',
      [lock],
    )
    return rows[0]?.last === true
  }
  return { leave, end: async () => client && endQuietly(client) }
}

/** The type of pg does not name them. */
function idle(client: pg.Client): { ref(): void; unref(): void } {
  return client as unknown as { ref(): void; unref(): void }
}

async function connect(files: ClusterFiles, port: number): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    ...clientConfig(port, await readPassword(files), database),
    application_name: 'tusk cluster',
  })
  // Without a listener, a lost connection would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch {
    await endQuietly(client)
    return undefined
  }
}

async function endQuietly(client: pg.Client): Promise<void> {
  await client.end().catch(() => {})
}
