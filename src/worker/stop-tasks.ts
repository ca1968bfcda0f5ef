import type { Held } from '../engine/outcomes.ts'
import type { Logger } from '../lib/logger.ts'
import { monotonicMs } from '../lib/monotonic.ts'
import type { AbortReason } from '../tasks/context.ts'
import type { TaskNews } from './events/task-news.ts'
import type { HeldTasks } from './leases/held-tasks.ts'
import type { Reporter } from './report/reporter.ts'

/** Stops tasks that are no longer ours. One that had not started is simply forgotten. */
export function stopLostTasks(heldTasks: HeldTasks, lost: readonly Held[], news: TaskNews): void {
  for (const { id, claim } of lost) {
    const reason: AbortReason = heldTasks.get(id)?.isSuspect ? 'cancelled' : 'lease_lost'
    const task = heldTasks.lose(id, claim, reason)
    if (task?.state !== 'buffered') continue
    heldTasks.remove(task)
    news.lost(task, reason)
  }
}

/**
 * Stops tasks that another worker may claim soon, because their lease could not be renewed. If a task is still ours
 * when the database can be reached again, what had not started goes back uncharged.
 */
export function stopDoubtfulTasks(heldTasks: HeldTasks, reporter: Reporter, log: Logger): void {
  if (heldTasks.size === 0) return
  const doubtful = heldTasks.doubt(monotonicMs())
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
export function abortRunningTasks(heldTasks: HeldTasks): void {
  for (const task of heldTasks.all()) if (task.state === 'running') task.abort('shutdown')
}
