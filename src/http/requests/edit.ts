import type { Queryable } from '../../db/queryable.ts'
import type { Editable } from '../../engine/operating.ts'
import type { Problem } from '../answers/problem.ts'
import type { AnyCall } from '../routing/route.ts'
import { requireMatch } from './etag.ts'

/** What is changed, and how to tell whether it still is what the caller saw. */
export interface Edited<Thing> {
  readonly kind: Editable
  readonly name: string
  readonly read: (db: Queryable) => Promise<Thing | null>
  readonly etag: (thing: Thing) => string
  /** Of what must be there already. */
  readonly missing?: (() => Problem) | undefined
}

interface Edit<Thing> extends Edited<Thing> {
  readonly write: (db: Queryable) => Promise<unknown>
}

/**
 * Changes something by a person's will, if it still is what they saw, and answers with what it is then.
 * No other caller can change it between the look and the change.
 */
export function edit<Thing>(
  call: Pick<AnyCall, 'audited' | 'context' | 'request'>,
  edited: Edit<Thing>,
): Promise<Thing> {
  const { kind, name, read, write, missing } = edited
  return call.audited(async (db) => {
    await requireUnchanged(db, call, edited)
    await write(db)
    const after = await read(db)
    if (after === null) throw missing?.() ?? new Error(`${kind} ${name} is gone after it was set`)
    return after
  })
}

/** Refuses what was changed since its ETag was given, and keeps it as it is until the transaction ends. */
export async function requireUnchanged<Thing>(
  db: Queryable,
  { context, request }: Pick<AnyCall, 'context' | 'request'>,
  { kind, name, read, etag, missing }: Edited<Thing>,
): Promise<void> {
  if (!request.headers.has('if-match')) return
  await context.verbs.lockForEdit(db, kind, name)
  const before = await read(db)
  if (before === null && missing !== undefined) throw missing()
  requireMatch(request, before === null ? undefined : etag(before))
}
