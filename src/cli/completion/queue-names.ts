import pg from 'pg'
import { ServerClient } from '../../db/server-client.js'

/** The person who presses Tab waits for it. */
const patienceMs = 1_000
const most = 500

/** The queues that have or had tasks, or are set, by name; fails rather than let a person wait. */
export async function queueNames(url: string, schema: string): Promise<string[]> {
  const client = new ServerClient({
    connectionString: url,
    application_name: 'tusk completion',
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const place = pg.escapeIdentifier(schema)
    const { rows } = await client.query<{ queue: string }>(
      `select queue from ${place}.queue_total union select queue from ${place}.queue where queue <> '*'
       order by queue limit ${most}`,
    )
    // A name that takes several lines, or speaks to the terminal, cannot be offered in one.
    return rows.map(({ queue }) => queue).filter((name) => !/\p{Cc}/u.test(name))
  } finally {
    await client.end().catch(() => {})
  }
}
