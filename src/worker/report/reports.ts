import { isConnectionLost } from '../../db/connection-errors.ts'
import type { Queryable } from '../../db/queryable.ts'
import type { Failure, Reported, Success } from '../../engine/reporting.ts'
import type { Verbs } from '../../engine/verbs.ts'
import { isLeaseLost } from '../../runners/lease-errors.ts'
import { type Failed, failed, type Outcome } from '../../runners/outcome.ts'
import type { HeldTask } from '../leases/held-task.ts'

/** An outcome that the database must hear of. */
export type ReportedOutcome = Exclude<Outcome, { kind: 'committed' | 'dropped' | 'suspended' }>

export interface Ended {
  readonly task: HeldTask
  readonly outcome: Outcome
}

/** Ends of one kind, which one statement can report; those of a kind without such a statement are alone. */
export interface Report {
  readonly kind: ReportedOutcome['kind']
  readonly ends: readonly Ended[]
}

const together = new Set<Outcome['kind']>(['done', 'failed', 'released'])

/** Makes few reports of many ends. */
export function groupByKind(ends: readonly Ended[]): Report[] {
  const byKind = new Map<ReportedOutcome['kind'], Ended[]>()
  const alone: Report[] = []
  for (const end of ends) {
    const { kind } = end.outcome
    if (kind === 'committed' || kind === 'dropped' || kind === 'suspended') continue
    const alike = byKind.get(kind)
    if (!together.has(kind)) alone.push({ kind, ends: [end] })
    else if (alike === undefined) byKind.set(kind, [end])
    else alike.push(end)
  }
  return [...Array.from(byKind, ([kind, alike]) => ({ kind, ends: alike })), ...alone]
}

/** Says a report; tells which ids were still ours to speak about. */
export async function sendReport(verbs: Verbs, db: Queryable, report: Report): Promise<Reported> {
  switch (report.kind) {
    case 'done':
      return verbs.reportDone(
        db,
        report.ends.map((end) => new DoneTask(end)),
      )
    case 'failed':
      return verbs.reportFailed(db, report.ends.map(failure))
    case 'released':
      return alone(
        await verbs.release(
          db,
          report.ends.map(({ task }) => task),
        ),
      )
    default:
      return sendOne(verbs, db, report.ends)
  }
}

/** Of kinds that are rare enough to leave it to the next look whether others can be claimed now. */
function alone(ids: Iterable<string>): Reported {
  return { accepted: new Set(ids), handsOn: false }
}

/** A success as the engine takes it. When it started is reported only if it is known: for a pack, the start of its first task. */
class DoneTask implements Success {
  readonly id: string
  readonly output: string | null
  readonly #task: HeldTask

  constructor({ task, outcome }: Ended) {
    this.id = task.id
    this.output = outcome.kind === 'done' ? outcome.output : null
    this.#task = task
  }

  get claim(): string {
    return this.#task.claim
  }

  get startedAt(): string | null {
    return this.#task.startedAt
  }

  get pack(): Success['pack'] {
    return this.#task.row.pack
  }
}

function failure({ task, outcome }: Ended): Failure {
  const { id, claim, startedAt } = task
  const how: Failed = outcome.kind === 'failed' ? outcome : failed('null')
  return { id, claim, startedAt, ...how }
}

/** These verbs refuse a task that is not ours, where the others leave it out. */
async function sendOne(verbs: Verbs, db: Queryable, [end]: readonly Ended[]): Promise<Reported> {
  if (end === undefined) return alone([])
  const { task, outcome } = end
  try {
    if (outcome.kind === 'rescheduled') {
      const payload = outcome.payload === null ? undefined : JSON.parse(outcome.payload)
      await verbs.reschedule(db, task, outcome.runAt, payload)
    } else if (outcome.kind === 'rejected') {
      const answer = await verbs.reject(db, task, JSON.parse(outcome.error), outcome.delay)
      return { ...alone([task.id]), answers: new Map([[task.id, answer]]) }
    } else if (outcome.kind === 'killed') {
      await verbs.kill(db, task, JSON.parse(outcome.error))
    }
    return alone([task.id])
  } catch (error) {
    if (isLeaseLost(error)) return alone([])
    throw error
  }
}

/** Another transaction holds a row for longer than a report waits. Nothing was stored. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03'
}

/** Whether the same words may be accepted later, or never. */
export function classifyReportError(error: unknown): 'passing' | 'lasting' {
  if (isConnectionLost(error)) return 'passing'
  const { code } = error as { code?: unknown }
  // Serialization, a schema that is just being changed, locks, resources, an operator's hand, damage: nothing
  // that was said is wrong.
  return typeof code === 'string' && /^(40|42|3F|53|55|57|58|XX)/.test(code) ? 'passing' : 'lasting'
}
