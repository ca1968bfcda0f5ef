import type { Held } from '../engine/settling.ts'
import { monotonicMs } from '../lib/monotonic.ts'
import type { AbortReason } from '../tasks/context.ts'
import type { Holdings } from './holdings.ts'
import type { Logger } from './log.ts'
import type { Reporter } from './reporter.ts'

/** Stops tasks that are no longer ours. One that had not started is simply forgotten. */
export function loseAll(holdings: Holdings, lost: readonly Held[]): void {
  for (const { id, claim } of lost) {
    const reason: AbortReason = holdings.get(id)?.isSuspect ? 'cancelled' : 'lease_lost'
    const task = holdings.lose(id, claim, reason)
    if (task?.state === 'buffered') holdings.remove(task)
  }
}

/**
 * Stops what may be somebody else's soon, because its lease could not be renewed. If it is still ours
 * when the database can be reached again, what had not started goes back uncharged.
 */
export function doubtAll(holdings: Holdings, reporter: Reporter, log: Logger): void {
  if (holdings.size === 0) return
  const doubtful = holdings.doubt(monotonicMs())
  if (doubtful.length === 0) return
  log.warn(
    { tasks: doubtful.length },
    'leases could not be renewed in time; their tasks are stopped',
  )
  for (const task of doubtful) {
    if (task.state !== 'buffered') continue
    task.state = 'reporting'
    reporter.add(task, { kind: 'released' })
  }
}

/** Tells every handler that runs to stop. */
export function abortRunning(holdings: Holdings): void {
  for (const task of holdings.all()) if (task.state === 'running') task.abort('shutdown')
}
