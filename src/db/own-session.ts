import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** Longer than an answer takes; a pooler that has no connection left lets its clients wait for minutes. */
const patienceMs = 1_000
/** Each time, a pooler with two connections in use answers alike by chance once in two. */
const times = 20

/**
 * Whether a connection is a session of its own, so that LISTEN, session locks and settings last in it.
 * The server tells its process when a connection begins; a pooler makes a number up, and then it takes a
 * second connection to find out. In doubt it is not.
 */
export async function hasOwnSession(
  client: pg.Client,
  newClient: () => pg.Client,
): Promise<boolean> {
  if ((await backendOf(client)) === processToldTo(client)) return true
  const other = newClient()
  // Before connect(): an unheard error ends the process.
  other.on('error', () => {})
  try {
    await other.connect()
    return await keepsSession(client, other)
  } finally {
    void other.end().catch(() => {})
  }
}

/**
 * A pooler in transaction mode gives each transaction any connection that is free. So two clients ask who
 * serves them: it is somebody else at times, or both are served by the same. They ask in no order, since
 * a pooler may have one of its own.
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

/** What the connection was told when it began. */
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
