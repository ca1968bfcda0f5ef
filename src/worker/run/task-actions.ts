import { isConnectionLost, isReadOnlyError } from '../../db/connection-errors.ts'
import type { Queryable } from '../../db/queryable.ts'
import type { Verbs } from '../../engine/verbs.ts'
import { monotonicMs } from '../../lib/monotonic.ts'
import { encodeJson } from '../../runners/encode-json.ts'
import { completeWithin } from '../../runners/handler/complete-within.ts'
import type { DurableActions } from '../../runners/handler/durable/actions.ts'
import { transactStep } from '../../runners/handler/durable/transact-step.ts'
import type { TaskActions } from '../../runners/handler/run-context.ts'
import { isLeaseLost, leaseLostError } from '../../runners/lease-errors.ts'
import type { Connections } from '../connections/connections.ts'
import type { HeldTask } from '../leases/held-task.ts'
import type { HeldTasks } from '../leases/held-tasks.ts'
import type { LogBook } from '../report/log-book.ts'
import { StepWriter } from './step-writer.ts'

interface Tools {
  readonly verbs: Verbs
  readonly connections: Connections
  readonly heldTasks: HeldTasks
  readonly logBook: LogBook
  readonly leaseMs: number
}

/** What handlers ask of the database while they run. A task that proves to be lost is stopped at once. */
export function openTaskActions(tools: Tools): TaskActions {
  const { verbs, connections, heldTasks, logBook, leaseMs } = tools
  const held: Holding = async (task, work) => {
    try {
      return await work()
    } catch (error) {
      if (isLeaseLost(error)) heldTasks.lose(task.id, task.claim, 'lease_lost')
      throw error
    }
  }
  return {
    ...openDurableActions(tools, held),
    progress: (run, progress) =>
      held(run as HeldTask, () => {
        const text = encodeJson('progress', progress) ?? 'null'
        return connections.borrow((db) => verbs.progress(db, run as HeldTask, text))
      }),
    log: (run, message, level) => logBook.add(run as HeldTask, message, level),
    extend: (run) =>
      held(run as HeldTask, async () => {
        const { id, claim } = run as HeldTask
        const sentAtMs = monotonicMs()
        const lease = `${leaseMs} milliseconds`
        const renewed = await connections.borrow((db) => verbs.extend(db, [claim], lease))
        if (!renewed.includes(claim)) throw leaseLostError(id)
        heldTasks.renewed(renewed, sentAtMs)
      }),
    transaction: (run, work) =>
      held(run as HeldTask, async () => {
        const task = run as HeldTask
        const ended = await connections.borrow((db) =>
          unlessAlive(db, () => completeWithin(verbs, db, task, work)),
        )
        if ('failure' in ended) throw ended.failure
        return ended.answer.output
      }),
  }
}

/** Runs work for a task; one that proves to be lost is stopped. */
type Holding = <T>(task: HeldTask, work: () => Promise<T>) => Promise<T>

/** What durable tasks ask. */
function openDurableActions({ verbs, connections }: Tools, held: Holding): DurableActions {
  const writer = new StepWriter((steps) => connections.borrow((db) => verbs.saveSteps(db, steps)))
  const call = <T>(run: unknown, work: (db: Queryable, task: HeldTask) => Promise<T>) =>
    held(run as HeldTask, () => connections.borrow((db) => work(db, run as HeldTask)))
  return {
    readSteps: (run) => call(run, (db, task) => verbs.readSteps(db, task)),
    saveSteps: (run, steps) => {
      const { id, claim } = run as HeldTask
      return held(run as HeldTask, () => writer.save(steps.map((step) => ({ id, claim, ...step }))))
    },
    suspend: (run, waits) => call(run, (db, task) => verbs.suspend(db, task, waits)),
    spawn: (run, children) => call(run, (db, task) => verbs.spawn(db, task, children)),
    writeChunks: (run, chunks) =>
      call(run, async (db, task) => {
        await verbs.writeChunks(db, task, chunks)
      }),
    transactStep: (run, work, checkpointOf) =>
      held(run as HeldTask, async () => {
        const ended = await connections.borrow((db) =>
          unlessAlive(db, () => transactStep(verbs, db, run as HeldTask, work, checkpointOf)),
        )
        if ('failure' in ended) throw ended.failure
        return ended.answer
      }),
  }
}

/**
 * A handler's work may fail because something else is gone, a mail server for example. If the connection
 * still answers, the database is not lost, and the failure is not reported as such a loss.
 */
async function unlessAlive<T>(
  db: Queryable,
  work: () => Promise<T>,
): Promise<{ readonly answer: T } | { readonly failure: unknown }> {
  try {
    return { answer: await work() }
  } catch (failure) {
    if (isReadOnlyError(failure)) throw failure
    if (!isConnectionLost(failure)) return { failure }
    const isAlive = await db.query('select').then(
      () => true,
      () => false,
    )
    if (isAlive) return { failure }
    throw failure
  }
}
