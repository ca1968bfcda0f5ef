import { usualQueryTimeoutMs } from '../../client/options.ts'
import type { Tusk } from '../../client/tusk.ts'
import { overPool } from '../../db/on-pool.ts'
import type { Queryable } from '../../db/queryable.ts'
import { openEngine, type Verbs } from '../../engine/verbs.ts'

/** The verbs themselves: their rows are in snake_case, as commands print them. */
export function engineOf(tusk: Tusk): { readonly verbs: Verbs; readonly db: Queryable } {
  const db = overPool(tusk.pool, { answerWithinMs: usualQueryTimeoutMs })
  return { verbs: openEngine({ schema: tusk.schema }), db }
}
