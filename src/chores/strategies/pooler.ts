import type { Queryable } from '../../db/queryable.ts'

/** A connection that learned its server process when it began. */
export type Session = Queryable & { readonly processID?: unknown }

/**
 * Whether a pooler stands between us and the server. Two transactions that ran in different processes
 * prove it; so does a process other than the one that the connection learned when it began, which
 * a pooler makes up.
 */
export async function isBehindPooler(client: Session): Promise<boolean> {
  const pids = [await backend(client), await backend(client)]
  const announced = client.processID
  return new Set(typeof announced === 'number' ? [...pids, announced] : pids).size > 1
}

async function backend(client: Queryable): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}
