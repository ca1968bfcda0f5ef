import type pg from 'pg'
import type { Queryable } from '../db/queryable.ts'
import type { Json } from '../engine/task.ts'
import type { Verbs } from '../engine/verbs.ts'
import { encodeJson } from '../runners/encode-json.ts'
import { completeWithin } from '../runners/handler/complete-within.ts'
import type { DurableActions } from '../runners/handler/durable/actions.ts'
import { transactStep } from '../runners/handler/durable/transact-step.ts'
import type { TaskActions } from '../runners/handler/run-context.ts'
import { leaseLostError } from '../runners/lease-errors.ts'
import { toStorableText } from '../runners/storable-text.ts'
import type { Crashes } from './crashes.ts'
import type { InlineRun } from './inline-run.ts'

interface Tools {
  readonly verbs: Verbs
  readonly pool: pg.Pool
  readonly db: Queryable
  readonly lease: string
  readonly crashes: Crashes
}

/** What handlers ask of the database while they run in a test: the same verbs, on the test's pool. */
export function openInlineActions(tools: Tools): TaskActions {
  const { verbs, db, lease } = tools
  return {
    progress: (run, progress) =>
      verbs.progress(db, run as InlineRun, encodeJson('progress', progress) ?? 'null'),
    log: (run, message, level) => {
      const { id, claim, lines } = run as InlineRun
      lines.push({ id, claim, level, message: toStorableText(String(message)), at: new Date() })
    },
    extend: async (run) => {
      const { id, claim } = run as InlineRun
      if (!(await verbs.extend(db, [claim], lease)).includes(claim)) throw leaseLostError(id)
    },
    transaction: (run, work) => completeInline(tools, run as InlineRun, work),
    ...openInlineSteps(tools),
  }
}

async function completeInline<Output extends Json>(
  { verbs, pool }: Tools,
  run: InlineRun,
  work: (db: Queryable) => Promise<Output>,
): Promise<Output> {
  const client = await pool.connect()
  try {
    const { output, text } = await completeWithin(verbs, client, run, work)
    run.committed = text
    return output
  } finally {
    client.release()
  }
}

/** What durable tasks ask; a test may let the process die before or after any of it. */
function openInlineSteps({ verbs, pool, db, crashes }: Tools): DurableActions {
  const call = <T>(run: unknown, work: (task: InlineRun) => Promise<T>) =>
    crashes.around(run as InlineRun, () => work(run as InlineRun))
  return {
    readSteps: (run) => verbs.readSteps(db, run as InlineRun),
    saveSteps: (run, steps) =>
      call(run, async ({ id, claim }) => {
        const lost = await verbs.saveSteps(
          db,
          steps.map((step) => ({ id, claim, ...step })),
        )
        if (lost.length > 0) throw leaseLostError(id)
      }),
    suspend: (run, waits) => call(run, (task) => verbs.suspend(db, task, waits)),
    spawn: (run, children) => call(run, (task) => verbs.spawn(db, task, children)),
    writeChunks: async (run, chunks) => {
      await verbs.writeChunks(db, run as InlineRun, chunks)
    },
    transactStep: (run, work, checkpointOf) =>
      call(run, async (task) => {
        const client = await pool.connect()
        try {
          return await transactStep(verbs, client, task, work, checkpointOf)
        } finally {
          client.release()
        }
      }),
  }
}
