import type { Queryable } from '../db/queryable.ts'
import { call, ids } from './call.ts'
import type { ClaimedTask } from './task.ts'

export interface ClaimOptions {
  readonly limit?: number
  readonly worker?: string
  readonly lease?: string
  readonly kinds?: readonly string[]
}

/** Taking tasks, and keeping hold of them. */
export function claiming(schema: string) {
  return {
    claim(db: Queryable, queue: string, options: ClaimOptions = {}): Promise<ClaimedTask[]> {
      const { limit = 1, worker = null, lease = '15 seconds', kinds = null } = options
      const text = `select claimed.*, claimed.timeout::text as timeout
        from ${schema}.claim($1, $2, $3, $4, p_kinds => $5) as claimed`
      return call(db, text, [queue, limit, worker, lease, kinds])
    },
    extend: async (
      db: Queryable,
      claims: readonly string[],
      lease = '15 seconds',
    ): Promise<string[]> =>
      ids(await call(db, `select extend as id from ${schema}.extend($1, $2)`, [claims, lease])),
  }
}
