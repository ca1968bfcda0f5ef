import type pg from 'pg'
import type { Check } from '../check.ts'
import type { Examination } from '../examination.ts'

/**
 * A pooler in transaction mode gives each transaction any connection that is free. So one client asks
 * who serves it while another holds on to what was free before: if the answer changes, or a setting of
 * the session is lost, LISTEN, session locks and prepared statements cannot work.
 */
export const pooler: Check = {
  name: 'pooler',
  fine: 'Connections keep their session: no pooler in transaction mode is in between.',
  needsConnections: true,
  look: async (at) => {
    if (await keepsSession(at)) return []
    return [
      {
        level: 'warning',
        message: 'A pooler in transaction mode is in between: what a session sets is lost.',
        hint: 'Producers may go on; workers and LISTEN need the server itself: set DIRECT_DATABASE_URL, or pool in session mode.',
      },
    ]
  },
}

async function keepsSession({ connect }: Examination): Promise<boolean> {
  if (connect === undefined) return true
  const first = await connect()
  const second = await connect().catch(async (error: unknown) => {
    await first.end()
    throw error
  })
  try {
    const before = await pidOf(first)
    await second.query('begin')
    const meanwhile = await pidOf(second)
    const after = await pidOf(first)
    await second.query('rollback')
    return before === after && before !== meanwhile
  } finally {
    await Promise.all([first.end(), second.end()])
  }
}

async function pidOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}
