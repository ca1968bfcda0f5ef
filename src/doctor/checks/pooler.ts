import { keepsSession } from '../../db/own-session.ts'
import type { Check } from '../check.ts'
import type { Examination } from '../examination.ts'

/** Where sessions are not kept, LISTEN, session locks and prepared statements cannot work. */
export const pooler: Check = {
  name: 'pooler',
  fine: 'Connections keep their session: no pooler in transaction mode is in between.',
  needsConnections: true,
  look: async (at) => {
    if (await isKept(at)) return []
    return [
      {
        level: 'warning',
        message: 'A pooler in transaction mode is in between: what a session sets is lost.',
        hint: 'Producers may go on; workers and LISTEN need the server itself: set DIRECT_DATABASE_URL, or pool in session mode.',
      },
    ]
  },
}

async function isKept({ connect }: Examination): Promise<boolean> {
  if (connect === undefined) return true
  const first = await connect()
  const other = await connect().catch(async (error: unknown) => {
    await first.end()
    throw error
  })
  try {
    return await keepsSession(first, other)
  } finally {
    await Promise.all([first.end(), other.end()])
  }
}
