import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** Longer than an answer takes. A pooler that has no connection left makes its clients wait for minutes. */
const patienceMs = 1_000
/**
 * With two server connections in use, a pooler gives the same answer by chance in half of the queries, so one query
 * proves nothing.
 */
const times = 20

/**
 * Whether a connection is a session of its own, in which LISTEN, session locks and settings last. A server reports the
 * id of its process when a connection begins. A pooler invents that id; then a second connection is needed to find out.
 * If in doubt, the answer is no.
 */
export async function hasOwnSession(
  client: pg.Client,
  newClient: () => pg.Client,
): Promise<boolean> {
  if ((await backendOf(client)) === processToldTo(client)) return true
  const other = newClient()
  // Before connect(): an error without a listener crashes the process.
  other.on('error', () => {})
  try {
    await other.connect()
    return await keepsSession(client, other)
  } finally {
    void other.end().catch(() => {})
  }
}

/**
 * A pooler in transaction mode gives each transaction any free connection. So two clients ask which process serves
 * them: behind a pooler the answer changes, or both get the same. They ask at the same time, since a pooler may
 * otherwise happen to keep the order.
 */
export async function keepsSession(first: pg.Client, other: pg.Client): Promise<boolean> {
  const ofFirst = await backendOf(first)
  const ofOther = await soon(backendOf(other))
  if (ofOther === undefined || ofOther === ofFirst) return false
  for (let asked = 0; asked < times; asked += 1) {
    const [client, before] = Math.random() < 0.5 ? [first, ofFirst] : [other, ofOther]
    if ((await soon(backendOf(client))) !== before) return false
  }
  return true
}

/** The process id that the server reported when the connection began. */
export function processToldTo(client: pg.Client): unknown {
  return (client as { processID?: unknown }).processID
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

function soon<T>(answer: Promise<T>): Promise<T | undefined> {
  return Promise.race([answer, pause(patienceMs, undefined, { ref: false })])
}
