import type { PoolClient } from 'pg'
import type { Queryable } from '../../db/queryable.ts'
import type { Json } from '../../engine/task.ts'
import type { Verbs } from '../../engine/verbs.ts'
import { TuskError } from '../../lib/errors.ts'
import { encodeJson } from '../encode-json.ts'
import { leaseLostError } from '../lease-errors.ts'

/** A claimed task, with what is needed to complete it. */
interface Completing {
  readonly id: string
  readonly claim: string
  readonly startedAt?: string | null
  isCommitted: boolean
}

interface Committed<Output> {
  readonly output: Output
  /** The stored JSON text. */
  readonly text: string | null
}

/** Runs work and the completion in one transaction. If the lease was lost, the work is rolled back. */
export async function completeWithin<Output extends Json>(
  verbs: Verbs,
  db: PoolClient,
  task: Completing,
  work: (db: Queryable) => Promise<Output>,
): Promise<Committed<Output>> {
  if (task.isCommitted) {
    throw new TuskError('wrong_state', `task ${task.id} is complete already`, {
      hint: 'A task has one transaction; do all of its work in it.',
    })
  }
  const { id, claim, startedAt = null } = task
  await db.query('begin')
  try {
    const output = await work(db)
    const text = encodeJson('output', output)
    const { accepted } = await verbs.reportDone(db, [{ id, claim, startedAt, output: text }])
    if (!accepted.has(id)) throw leaseLostError(id)
    await db.query('commit')
    task.isCommitted = true
    return { output, text }
  } catch (error) {
    await db.query('rollback').catch(() => {})
    throw error
  }
}
