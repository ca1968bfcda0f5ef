import pg from 'pg'
import { findDatabase } from '../database/find-database.ts'
import { isConnectionLost } from '../db/connection-errors.ts'
import { checkSchema } from '../db/installed.ts'
import { overPool } from '../db/on-pool.ts'
import { openPool } from '../db/open-pool.ts'
import { requireUrl } from '../db/require-url.ts'
import { ServerClient } from '../db/server-client.js'
import { describeTlsError } from '../db/tls-error.ts'
import { unreachableError } from '../db/unreachable-error.ts'
import { TuskError } from '../lib/errors.ts'

/** The database that a client works with. */
export interface ClientDatabase {
  readonly pool: pg.Pool
  /** A new client to the same database, for LISTEN. Not connected yet. */
  readonly newClient: (applicationName?: string) => pg.Client
  /** Closes what was opened here, and nothing else. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly schema: string
  readonly listenUrl?: string | undefined
  readonly stateDirectory?: string | undefined
  readonly migrate?: boolean | undefined
  /** For connections that are opened here. 0 means no limit. */
  readonly queryTimeoutMs: number
}

const shared = {
  application_name: 'tusk client',
  keepAlive: true,
  connectionTimeoutMillis: 10_000,
} as const

/**
 * Opens a connection string, uses the application's pool, or starts the embedded Postgres if no database is configured.
 * Only the embedded database is migrated by default: an application that starts must not change a database that others
 * use.
 */
export async function openDatabase(
  named: string | pg.Pool | undefined,
  options: DatabaseOptions,
): Promise<ClientDatabase> {
  requireUrl(options.listenUrl, 'listen')
  const found = await reach(() => findDatabase(named, options))
  const opened =
    typeof found.database === 'string'
      ? openUrl(found.database, options)
      : borrowPool(found.database, options)
  const database = {
    ...opened,
    close: async () => {
      await opened.close()
      await found.close()
    },
  }
  try {
    await requireEngine(database.pool, options)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

function openUrl(
  url: string,
  { listenUrl = url, queryTimeoutMs }: DatabaseOptions,
): ClientDatabase {
  const pool = openPool({
    ...shared,
    connectionString: url,
    query_timeout: queryTimeoutMs,
    session: {},
  })
  return {
    pool,
    newClient: named({ ...shared, connectionString: listenUrl }),
    close: () => pool.end(),
  }
}

function borrowPool(pool: pg.Pool, { listenUrl }: DatabaseOptions): ClientDatabase {
  return {
    pool,
    newClient: (applicationName) =>
      named({
        ...shared,
        ...(listenUrl === undefined ? optionsOf(pool) : { connectionString: listenUrl }),
      })(applicationName),
    close: async () => {},
  }
}

function named(config: pg.ClientConfig): ClientDatabase['newClient'] {
  return (name) =>
    new ServerClient(name === undefined ? config : { ...config, application_name: name })
}

/** The password of a pool's options is not enumerable, so it has to be copied by name. */
function optionsOf({ options }: pg.Pool): pg.ClientConfig {
  const { password } = options
  return password === undefined ? { ...options } : { ...options, password }
}

async function requireEngine(
  pool: pg.Pool,
  { schema, queryTimeoutMs: answerWithinMs }: DatabaseOptions,
): Promise<void> {
  const state = await reach(() => checkSchema(overPool(pool, { answerWithinMs }), schema))
  if (state === 'ready') return
  const name = pg.escapeIdentifier(schema)
  throw state === 'missing'
    ? new TuskError('schema_missing', `Tusk is not installed in schema ${name}`, {
        hint: 'Run `npx tusk migrate up`, or name the schema it was installed in.',
      })
    : new TuskError('schema_behind', `schema ${name} belongs to an older version of Tusk`, {
        hint: 'Run `npx tusk migrate up`.',
      })
}

async function reach<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw isConnectionLost(error) && !(error instanceof TuskError)
      ? unreachableError(error)
      : (describeTlsError(error) ?? error)
  }
}
