import type { Queryable } from '../db/queryable.ts'
import type { Json } from '../engine/task.ts'
import type { Verbs } from '../engine/verbs.ts'
import { describeError } from '../runners/describe-error.ts'
import { isLeaseLost } from '../runners/lease-errors.ts'
import { failed, type Outcome } from '../runners/outcome.ts'
import type { InlineRun } from './inline-run.ts'

/** Tells the database how a run ended; gives the outcome that counts in the end. */
export async function reportOutcome(
  verbs: Verbs,
  db: Queryable,
  run: InlineRun,
  outcome: Outcome,
): Promise<Outcome> {
  try {
    return (await say(verbs, db, run, outcome)) ? outcome : { kind: 'dropped' }
  } catch (error) {
    if (isLeaseLost(error)) return { kind: 'dropped' }
    const instead = insteadOf(outcome, error)
    if (instead === undefined) throw error
    return reportOutcome(verbs, db, run, instead)
  }
}

/** Whether it was still ours to tell. */
async function say(
  verbs: Verbs,
  db: Queryable,
  run: InlineRun,
  outcome: Outcome,
): Promise<boolean> {
  const { id, claim } = run
  const held = { id, claim, startedAt: null }
  switch (outcome.kind) {
    case 'done':
      return (await verbs.reportDone(db, [{ ...held, output: outcome.output }])).accepted.has(id)
    case 'failed':
      return (await verbs.reportFailed(db, [{ ...held, ...outcome }])).accepted.has(id)
    case 'rescheduled':
      await verbs.reschedule(db, held, outcome.runAt, parsed(outcome.payload) ?? undefined)
      return true
    case 'rejected':
      await verbs.reject(db, held, parsed(outcome.error), outcome.delay)
      return true
    case 'killed':
      await verbs.kill(db, held, parsed(outcome.error))
      return true
    case 'released':
      return (await verbs.release(db, [held])).includes(id)
    case 'committed':
    case 'suspended':
      return true
    case 'dropped':
      return false
  }
}

/** What to say when an outcome was refused, for example a delay that Postgres cannot read. */
function insteadOf(outcome: Outcome, refusal: unknown): Outcome | undefined {
  switch (outcome.kind) {
    case 'done':
    case 'rescheduled':
      return failed(describeError(refusal), { retry: false })
    case 'rejected':
    case 'failed':
      return outcome.delay === null ? undefined : { ...outcome, delay: null }
    case 'killed':
    case 'released':
    case 'committed':
    case 'suspended':
    case 'dropped':
      return undefined
  }
}

export function parsed(json: string | null): Json {
  return json === null ? null : (JSON.parse(json) as Json)
}
