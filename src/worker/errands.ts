import { isGone, isReadOnly } from '../db/gone.ts'
import type { Queryable } from '../db/queryable.ts'
import type { Verbs } from '../engine/verbs.ts'
import { monotonicMs } from '../lib/monotonic.ts'
import { completeWithin } from '../runners/complete-within.ts'
import { encodeJson } from '../runners/encode-json.ts'
import { isLost, leaseLost } from '../runners/lost.ts'
import type { Errands } from '../runners/run-context.ts'
import type { Connections } from './connections.ts'
import type { HeldTask } from './held-task.ts'
import type { Holdings } from './holdings.ts'
import type { LogBook } from './log-book.ts'

interface Tools {
  readonly verbs: Verbs
  readonly connections: Connections
  readonly holdings: Holdings
  readonly logBook: LogBook
  readonly leaseMs: number
}

/** What handlers ask of the database while they run. A task that proves to be lost is stopped at once. */
export function openErrands(tools: Tools): Errands {
  const { verbs, connections, holdings, logBook, leaseMs } = tools
  const held = async <T>(task: HeldTask, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (isLost(error)) holdings.lose(task.id, task.claim, 'lease_lost')
      throw error
    }
  }
  return {
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
        if (!renewed.includes(claim)) throw leaseLost(id)
        holdings.renewed(renewed, sentAtMs)
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

/**
 * A handler's work may fail because something else is gone, a mail server for example. If the connection
 * still answers, that is no loss of the database, and nothing to be told of as one.
 */
async function unlessAlive<T>(
  db: Queryable,
  work: () => Promise<T>,
): Promise<{ readonly answer: T } | { readonly failure: unknown }> {
  try {
    return { answer: await work() }
  } catch (failure) {
    if (isReadOnly(failure)) throw failure
    if (!isGone(failure)) return { failure }
    const isAlive = await db.query('select').then(
      () => true,
      () => false,
    )
    if (isAlive) return { failure }
    throw failure
  }
}
