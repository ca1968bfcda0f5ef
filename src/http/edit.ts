import type { Queryable } from '../db/queryable.ts'
import { lockForEdit } from './edit-lock.ts'
import { requireMatch } from './etag.ts'
import type { AnyCall } from './route.ts'

interface Edit<Thing> {
  /** What is edited, for the lock: `queue mail`. */
  readonly thing: string
  readonly read: (db: Queryable) => Promise<Thing | null>
  /** The ETag of what is there; of nothing, that of nobody. */
  readonly etag: (thing: Thing) => string
  readonly write: (db: Queryable) => Promise<unknown>
}

/** Changes something by a person's will, if it still is what they saw, and answers with what it is then. */
export function edit<Thing>(
  call: Pick<AnyCall, 'audited' | 'context' | 'request'>,
  { thing, read, etag, write }: Edit<Thing>,
): Promise<Thing> {
  return call.audited(async (db) => {
    if (call.request.headers.has('if-match')) {
      await lockForEdit(db, call.context.tusk.schema, thing)
      const before = await read(db)
      requireMatch(call.request, before === null ? 'none' : etag(before))
    }
    await write(db)
    const after = await read(db)
    if (after === null) throw new Error(`${thing} is gone after it was set`)
    return after
  })
}
