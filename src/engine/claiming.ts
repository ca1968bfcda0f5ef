import type { Queryable } from '../db/queryable.ts'
import { call, ids } from './call.ts'
import type { ClaimedTask } from './task.ts'

export interface ClaimOptions {
  readonly limit?: number
  readonly worker?: string
  readonly lease?: string
  readonly kinds?: readonly string[]
  /** The versions of the payload that are understood, of tasks without a handler; any, if left out. */
  readonly versions?: readonly [from: number, to: number]
}

/** Taking tasks, and keeping hold of them. */
export function claiming(schema: string) {
  return {
    claim(db: Queryable, queue: string, options: ClaimOptions = {}): Promise<ClaimedTask[]> {
      const { limit = 1, worker = null, lease = '15 seconds', kinds = null, versions } = options
      const [from, to] = versions ?? []
      const text = `select claimed.*, claimed.timeout::text as timeout
        from ${schema}.claim($1, $2, $3, $4, p_kinds => $5,
          p_handlers => $6, p_versions_from => $7, p_versions_to => $8) as claimed`
      const range = versions === undefined ? [null, null, null] : [[null], [from], [to]]
      return call(db, text, [queue, limit, worker, lease, kinds, ...range])
    },
    extend: async (
      db: Queryable,
      claims: readonly string[],
      lease = '15 seconds',
    ): Promise<string[]> =>
      ids(await call(db, `select extend as id from ${schema}.extend($1, $2)`, [claims, lease])),
  }
}
