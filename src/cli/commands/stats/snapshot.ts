import type { Tusk } from '../../../client/tusk.ts'
import type { QueueStats } from '../../../engine/measuring.ts'
import { engineOf } from '../../database/engine-of.ts'

/** How things stand at one moment. */
export interface Snapshot {
  readonly at: Date
  readonly totals: Totals
  readonly queues: readonly QueueStats[]
  readonly workers: number
  readonly slots: number
  readonly alerts: readonly { readonly chore: string; readonly alert: string }[]
}

export interface Totals {
  readonly running: number
  readonly due: number
  readonly later: number
  readonly asleep: number
  readonly enqueued_last_hour: number
  readonly done_last_hour: number
  readonly failed_last_hour: number
  /** Since the beginning. */
  readonly done: number
  readonly failed: number
}

export async function takeSnapshot(tusk: Tusk): Promise<Snapshot> {
  const { verbs, db } = engineOf(tusk)
  const queues = await verbs.queueStats(db)
  const workers = await verbs.workers(db)
  const chores = await verbs.choreStats(db)
  const ever = await verbs.queueTotals(db)
  const sum = (of: (queue: QueueStats) => number) =>
    queues.reduce((total, queue) => total + of(queue), 0)
  return {
    at: new Date(),
    totals: {
      running: sum(({ running }) => running),
      due: sum(({ due }) => due),
      later: sum(({ later }) => later),
      asleep: sum(({ asleep }) => asleep),
      enqueued_last_hour: sum((queue) => queue.enqueued_last_hour),
      done_last_hour: sum((queue) => queue.done_last_hour),
      failed_last_hour: sum((queue) => queue.failed_last_hour),
      done: ever.reduce((total, { done }) => total + done, 0),
      failed: ever.reduce((total, { failed }) => total + failed, 0),
    },
    queues,
    workers: workers.length,
    slots: workers.reduce((total, { slots }) => total + slots, 0),
    alerts: chores.flatMap(({ chore, alert }) => (alert === null ? [] : [{ chore, alert }])),
  }
}

/** `12 running, 340 due, 5 later, 2 asleep · 3 workers, 30 slots · 118 done a second`. */
export function summaryLine(now: Snapshot, before?: Snapshot): string {
  const { running, due, later, asleep } = now.totals
  return [
    `${running} running, ${due} due, ${later} later, ${asleep} asleep`,
    `${now.workers} ${now.workers === 1 ? 'worker' : 'workers'}, ${now.slots} slots`,
    ...(before === undefined ? [] : [paceOf(now, before)]),
    now.at.toISOString(),
  ].join(' · ')
}

function paceOf(now: Snapshot, before: Snapshot): string {
  const seconds = (now.at.getTime() - before.at.getTime()) / 1_000
  const done = now.totals.done - before.totals.done
  return `${(Math.max(done, 0) / Math.max(seconds, 0.001)).toFixed(0)} done a second`
}
