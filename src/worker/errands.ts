import type { PoolClient } from 'pg'
import type { Queryable } from '../db/queryable.ts'
import type { Json } from '../engine/task.ts'
import type { Verbs } from '../engine/verbs.ts'
import { TuskError } from '../lib/errors.ts'
import { monotonicMs } from '../lib/monotonic.ts'
import { encodeJson } from '../runners/encode-json.ts'
import type { Run } from '../runners/run.ts'
import type { Errands } from '../runners/run-context.ts'
import type { Connections } from './connections.ts'
import type { HeldTask } from './held-task.ts'
import type { Holdings } from './holdings.ts'
import type { LogBook } from './log-book.ts'
import { isLost } from './reports.ts'

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
      held(run as HeldTask, () =>
        connections.borrow((db) => completeWithin(verbs, db, run as HeldTask, work)),
      ),
  }
}

/** The work and the completion commit together or not at all; a lease that was lost undoes the work. */
async function completeWithin<Output extends Json>(
  verbs: Verbs,
  db: PoolClient,
  task: HeldTask,
  work: (db: Queryable) => Promise<Output>,
): Promise<Output> {
  if ((task as Run).isSettled) {
    throw new TuskError('wrong_state', `task ${task.id} is complete already`, {
      hint: 'A task has one transaction; do all of its work in it.',
    })
  }
  const { id, claim, startedAt } = task
  await db.query('begin')
  try {
    const output = await work(db)
    const end = { id, claim, startedAt, output: encodeJson('output', output) }
    const accepted = await verbs.reportDone(db, [end])
    if (!accepted.has(id)) throw leaseLost(id)
    await db.query('commit')
    task.isSettled = true
    return output
  } catch (error) {
    await db.query('rollback').catch(() => {})
    throw error
  }
}

function leaseLost(id: string): TuskError {
  return new TuskError('lease_lost', `task ${id} is no longer held by this worker`, {
    hint: 'Stop working on it: its lease ran out, or it was cancelled.',
  })
}
