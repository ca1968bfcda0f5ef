import type { ClientBase, Pool } from 'pg'
import { TuskError } from '../lib/errors.ts'
import { checkOut, giveBack } from './check-out.ts'
import { isConnectionLost } from './connection-errors.ts'
import { requireUrl } from './require-url.ts'
import { ServerClient } from './server-client.js'
import { describeTlsError } from './tls-error.ts'

/** Where to work: a connection string, a pool, or a connected client outside a transaction. */
export type Target = string | Pool | ClientBase

/** Runs `use` with a connection of its own, and releases it in the state it came in. */
export async function withClient<T>(
  target: Target,
  use: (client: ClientBase) => Promise<T>,
): Promise<T> {
  if (typeof target === 'string') return withNewClient(target, use)
  if (isPool(target)) return withPooledClient(target, use)
  return use(target)
}

async function withNewClient<T>(url: string, use: (client: ClientBase) => Promise<T>): Promise<T> {
  requireUrl(url, 'the connection string')
  const client = new ServerClient({ connectionString: url, application_name: 'tusk migrate' })
  client.on('error', leaveToTheQuery)
  try {
    await client.connect()
  } catch (error) {
    const place = `Postgres at ${client.place}`
    throw isNetworkError(error)
      ? unreachable(client, error)
      : (describeTlsError(error, place) ?? error)
  }
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

async function withPooledClient<T>(
  pool: Pool,
  use: (client: ClientBase) => Promise<T>,
): Promise<T> {
  const client = await checkOut(pool)
  let isLost = false
  try {
    return await use(client)
  } catch (error) {
    isLost = isConnectionLost(error)
    throw error
  } finally {
    giveBack(client, isLost)
  }
}

/** The running query fails with the loss anyway. Without a listener the event would crash the process. */
function leaveToTheQuery(): void {}

/** Checks the shape, not the class: the caller's pg may be another copy than ours. */
function isPool(target: Pool | ClientBase): target is Pool {
  return 'totalCount' in target
}

function unreachable(client: ServerClient, cause: unknown): TuskError {
  return new TuskError('database_unreachable', `no Postgres answers at ${client.place}`, {
    hint: 'Check that it is running and that the connection string is right.',
    cause,
  })
}

function isNetworkError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
