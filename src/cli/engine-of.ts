import type { Tusk } from '../client/tusk.ts'
import type { Queryable } from '../db/queryable.ts'
import { readingOurWay } from '../db/row-types.ts'
import { openEngine, type Verbs } from '../engine/verbs.ts'

/** The verbs themselves, for what the client has no method of its own for. */
export function engineOf(tusk: Tusk): { readonly verbs: Verbs; readonly db: Queryable } {
  return { verbs: openEngine({ schema: tusk.schema }), db: readingOurWay(tusk.pool) }
}
