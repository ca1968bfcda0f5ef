import { readFile } from 'node:fs/promises'
import type { Client } from 'pg'
import type { Site } from './site.ts'

/**
 * Milliseconds of the processor that the server and its connections to the database have taken until
 * the returned function is called. On a busy machine, it says more than the elapsed time.
 */
export async function countSpent(admin: Client, site: Site): Promise<() => Promise<number>> {
  const [server, backends] = [await site.usage(), await readBackends(admin)]
  return async () => {
    const [serverAfter, backendsAfter] = [await site.usage(), await readBackends(admin)]
    const ofBackends = [...backendsAfter].map(([pid, ms]) => ms - (backends.get(pid) ?? 0))
    return serverAfter.cpuMs - server.cpuMs + ofBackends.reduce((sum, ms) => sum + ms, 0)
  }
}

/** Time of the server's own backends. A connection that was closed meanwhile is left out. */
async function readBackends(admin: Client): Promise<ReadonlyMap<number, number>> {
  const { rows } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name like 'tusk%' and datname = current_database()`,
  )
  const times = rows.map(async ({ pid }) => {
    const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0')
    return [pid, Number(text.split(' ')[0]) / 1e6] as const
  })
  return new Map(await Promise.all(times))
}
