import { isGone } from '../db/gone.ts'
import type { Queryable } from '../db/queryable.ts'
import type { Failure, Success } from '../engine/reporting.ts'
import type { Verbs } from '../engine/verbs.ts'
import { isLost } from '../runners/lost.ts'
import { type Failed, failed, type Outcome } from '../runners/outcome.ts'
import type { HeldTask } from './held-task.ts'

/** An outcome that the database must hear of. */
export type Said = Exclude<Outcome, { kind: 'settled' | 'dropped' }>

export interface Ended {
  readonly task: HeldTask
  readonly outcome: Outcome
}

/** Ends of one kind, which one statement can report; those of a kind without such a statement are alone. */
export interface Report {
  readonly kind: Said['kind']
  readonly ends: readonly Ended[]
}

const together = new Set<Outcome['kind']>(['done', 'failed', 'released'])

/** Makes few reports of many ends. */
export function sortOut(ends: readonly Ended[]): Report[] {
  const byKind = new Map<Said['kind'], Ended[]>()
  const alone: Report[] = []
  for (const end of ends) {
    const { kind } = end.outcome
    if (kind === 'settled' || kind === 'dropped') continue
    const alike = byKind.get(kind)
    if (!together.has(kind)) alone.push({ kind, ends: [end] })
    else if (alike === undefined) byKind.set(kind, [end])
    else alike.push(end)
  }
  return [...Array.from(byKind, ([kind, alike]) => ({ kind, ends: alike })), ...alone]
}

/** Says a report; gives the ids that were still ours to speak about. */
export async function sayReport(
  verbs: Verbs,
  db: Queryable,
  report: Report,
): Promise<ReadonlySet<string>> {
  switch (report.kind) {
    case 'done':
      return verbs.reportDone(db, report.ends.map(success))
    case 'failed':
      return verbs.reportFailed(db, report.ends.map(failure))
    case 'released':
      return new Set(
        await verbs.release(
          db,
          report.ends.map(({ task }) => task),
        ),
      )
    default:
      return sayOne(verbs, db, report.ends)
  }
}

function success({ task, outcome }: Ended): Success {
  const { id, claim, startedAt } = task
  return { id, claim, startedAt, output: outcome.kind === 'done' ? outcome.output : null }
}

function failure({ task, outcome }: Ended): Failure {
  const { id, claim, startedAt } = task
  const how: Failed = outcome.kind === 'failed' ? outcome : failed('null')
  return { id, claim, startedAt, ...how }
}

/** These verbs refuse a task that is not ours, where the others leave it out. */
async function sayOne(
  verbs: Verbs,
  db: Queryable,
  [end]: readonly Ended[],
): Promise<ReadonlySet<string>> {
  if (end === undefined) return new Set()
  const { task, outcome } = end
  try {
    if (outcome.kind === 'rescheduled') {
      const payload = outcome.payload === null ? undefined : JSON.parse(outcome.payload)
      await verbs.reschedule(db, task, outcome.runAt, payload)
    } else if (outcome.kind === 'rejected') {
      await verbs.reject(db, task, JSON.parse(outcome.error), outcome.delay)
    } else if (outcome.kind === 'killed') {
      await verbs.kill(db, task, JSON.parse(outcome.error))
    }
    return new Set([task.id])
  } catch (error) {
    if (isLost(error)) return new Set()
    throw error
  }
}

/** Another transaction holds a row for longer than a report waits. Nothing was stored. */
export function isHeld(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03'
}

/** Whether the same words may be accepted later, or never. */
export function reportFault(error: unknown): 'passing' | 'lasting' {
  if (isGone(error)) return 'passing'
  const { code } = error as { code?: unknown }
  // Serialization, a schema that is just being changed, locks, resources, an operator's hand, damage: nothing
  // that was said is wrong.
  return typeof code === 'string' && /^(40|42|3F|53|55|57|58|XX)/.test(code) ? 'passing' : 'lasting'
}
