import type { Queryable } from '../db/queryable.ts'
import { parseTime } from '../db/row-types.ts'
import { call } from './call.ts'
import type { ClaimedTask } from './task.ts'
import { timeLiteral } from './time-literal.ts'

/** A claim as a worker makes it: only what it can run, and from where it was last. */
export interface BatchClaim {
  readonly queue: string
  readonly limit: number
  readonly worker: string
  readonly leaseMs: number
  readonly kinds: readonly string[]
  readonly handlers: readonly string[]
  readonly versionsFrom: readonly number[]
  readonly versionsTo: readonly number[]
  /** Where to begin in a lane; see sql/parts/claiming/pick.sql. */
  readonly hints: readonly Hint[]
}

export interface Hint {
  readonly priority: number
  readonly from: Date
}

/**
 * A row of claim() with its times left as text: of a batch of hundreds few are ever looked at.
 * toClaimedTask() makes the rest of it when somebody does.
 */
export interface ClaimedRow
  extends Omit<ClaimedTask, 'created_at' | 'run_at' | 'deadline' | 'lease_expires_at'> {
  readonly created_at: string
  readonly run_at: string
  readonly deadline: string | null
  readonly timeout_ms: number | null
  readonly lease_expires_at: string
}

const columns = `id, claim, attempt, max_attempts, iteration, priority, version, kind, queue, handler, key, groups, tags,
  parent, created_at::text, run_at::text, deadline::text, timeout::text,
  (extract(epoch from timeout) * 1000)::float8 as timeout_ms, lease_expires_at::text, meta, payload`

/** Claiming for a worker: of each kind only what it can run. */
export function claimingBatches(schema: string) {
  const text = `select ${columns} from ${schema}.claim(
    $1, $2, $3, $4::float8 * interval '1 millisecond', $5::text[], $6::text[], $7::integer[], $8::integer[],
    $9::integer[], $10::timestamptz[])`
  return {
    claimBatch: (db: Queryable, claim: BatchClaim): Promise<ClaimedRow[]> =>
      call(db, text, [
        claim.queue,
        claim.limit,
        claim.worker,
        claim.leaseMs,
        claim.kinds,
        claim.handlers,
        claim.versionsFrom,
        claim.versionsTo,
        claim.hints.map(({ priority }) => priority),
        claim.hints.map(({ from }) => timeLiteral(from)),
      ]),
  }
}

/** The whole task, with its times as dates. */
export function toClaimedTask({ timeout_ms: _, ...row }: ClaimedRow): ClaimedTask {
  return {
    ...row,
    created_at: toDate(row.created_at),
    run_at: toDate(row.run_at),
    deadline: row.deadline === null ? null : toDate(row.deadline),
    lease_expires_at: toDate(row.lease_expires_at),
  }
}

/** A timestamptz in Postgres's own spelling. */
export function toDate(text: string): Date {
  return parseTime(text)
}
