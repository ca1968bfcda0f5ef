// @ts-check
import pg from 'pg'

/**
 * @typedef {{ readonly kind: 'unreachable' } | { readonly kind: 'unknown' }
 *   | { readonly kind: 'known', readonly states: ReadonlyMap<number, string | null> }} BackendStates
 */

const patienceMs = 3_000

/** @type {Map<string, Promise<BackendStates>>} */
const underWay = new Map()

/**
 * What the server processes of this login are doing, asked over a separate connection. Often many connections fall
 * silent together, so checks at the same time share one query.
 * @param {pg.ClientConfig} config
 * @returns {Promise<BackendStates>}
 */
export function backendStates(config) {
  const { host, port, user, database } = new pg.Client(config)
  const key = JSON.stringify([host, port, user, database])
  const asked = underWay.get(key)
  if (asked !== undefined) return asked
  const asking = ask(config).finally(() => underWay.delete(key))
  underWay.set(key, asking)
  return asking
}

/**
 * @param {pg.ClientConfig} config
 * @returns {Promise<BackendStates>}
 */
async function ask(config) {
  const client = new pg.Client({
    ...config,
    application_name: 'tusk watch',
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    keepAlive: false,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(
      `select pid, state, pid = pg_catalog.pg_backend_pid() as own from pg_catalog.pg_stat_activity
       where usename = session_user or pid = pg_catalog.pg_backend_pid()`,
    )
    const own = rows.find((row) => row.own)?.pid
    // A pooler reports a process id of its own, here as on the connection in question.
    if (own !== /** @type {{ processID?: unknown }} */ (client).processID)
      return { kind: 'unknown' }
    return { kind: 'known', states: new Map(rows.map(({ pid, state }) => [pid, state])) }
  } catch (error) {
    return { kind: isAnswer(error) ? 'unknown' : 'unreachable' }
  } finally {
    const { connection } = /** @type {any} */ (client)
    void client.end().catch(() => {})
    setTimeout(() => connection.stream.destroy(), 100).unref()
  }
}

/**
 * The server answers but rejects the connection, for example because it is full. A server that is starting up has lost
 * its processes.
 * @param {unknown} error
 */
function isAnswer(error) {
  return error instanceof pg.DatabaseError && !/^57P/.test(error.code ?? '')
}
