import type { Queryable } from '../../db/queryable.ts'
import type { Editable } from '../../engine/operating.ts'
import type { Problem } from '../answers/problem.ts'
import type { AnyCall } from '../routing/route.ts'
import { requireMatch } from './etag.ts'

interface Edit<Thing> {
  readonly kind: Editable
  readonly name: string
  readonly read: (db: Queryable) => Promise<Thing | null>
  readonly etag: (thing: Thing) => string
  readonly write: (db: Queryable) => Promise<unknown>
  /** Of what must be there already. */
  readonly missing?: () => Problem
}

/**
 * Changes something by a person's will, if it still is what they saw, and answers with what it is then.
 * Between the look and the change nobody else gets at it, by whatever door they come.
 */
export function edit<Thing>(
  call: Pick<AnyCall, 'audited' | 'context' | 'request'>,
  { kind, name, read, etag, write, missing }: Edit<Thing>,
): Promise<Thing> {
  return call.audited(async (db) => {
    if (call.request.headers.has('if-match')) {
      await call.context.verbs.lockForEdit(db, kind, name)
      const before = await read(db)
      if (before === null && missing !== undefined) throw missing()
      requireMatch(call.request, before === null ? undefined : etag(before))
    }
    await write(db)
    const after = await read(db)
    if (after === null) throw missing?.() ?? new Error(`${kind} ${name} is gone after it was set`)
    return after
  })
}
