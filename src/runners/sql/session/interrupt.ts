import pg from 'pg'

const answerWithinMs = 3_000

/**
 * Asks the server, over a separate connection, to cancel a backend's statement or to terminate the backend. Never more
 * than that: killing a process of Postgres restarts the whole server. Returns whether the request arrived.
 */
export async function interrupt(
  config: pg.ClientConfig,
  pid: number,
  how: 'cancel' | 'terminate',
): Promise<boolean> {
  const client = new pg.Client({
    ...config,
    application_name: 'tusk interrupt',
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ heard: boolean }>(
      `select pg_catalog.pg_${how}_backend($1) as heard`,
      [pid],
    )
    return rows[0]?.heard ?? false
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
