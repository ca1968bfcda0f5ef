import type { PoolClient } from 'pg'
import type { Queryable } from '../../../db/queryable.ts'
import type { Held } from '../../../engine/outcomes.ts'
import type { Verbs } from '../../../engine/verbs.ts'
import { leaseLostError } from '../../lease-errors.ts'
import type { NewCheckpoint } from './actions.ts'

/** Runs work and its checkpoint in one transaction. If the lease was lost, the work is rolled back. */
export async function transactStep<Output>(
  verbs: Verbs,
  db: PoolClient,
  { id, claim }: Held,
  work: (db: Queryable) => Promise<Output>,
  checkpointOf: (output: Output) => NewCheckpoint,
): Promise<Output> {
  await db.query('begin')
  try {
    const output = await work(db)
    const lost = await verbs.saveSteps(db, [{ id, claim, ...checkpointOf(output) }])
    if (lost.length > 0) throw leaseLostError(id)
    await db.query('commit')
    return output
  } catch (error) {
    await db.query('rollback').catch(() => {})
    throw error
  }
}
