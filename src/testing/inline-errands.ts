import type pg from 'pg'
import type { Queryable } from '../db/queryable.ts'
import type { Json } from '../engine/task.ts'
import type { Verbs } from '../engine/verbs.ts'
import { TuskError } from '../lib/errors.ts'
import { encodeJson } from '../runners/encode-json.ts'
import type { Errands } from '../runners/run-context.ts'
import { storable } from '../runners/storable.ts'
import type { InlineRun } from './inline-run.ts'

interface Tools {
  readonly verbs: Verbs
  readonly pool: pg.Pool
  readonly db: Queryable
  readonly lease: string
}

/** What handlers ask of the database while they run in a test: the same verbs, on the test's pool. */
export function openInlineErrands({ verbs, pool, db, lease }: Tools): Errands {
  return {
    progress: (run, progress) =>
      verbs.progress(db, run as InlineRun, encodeJson('progress', progress) ?? 'null'),
    log: (run, message, level) => {
      const { id, claim, lines } = run as InlineRun
      lines.push({ id, claim, level, message: storable(String(message)), at: new Date() })
    },
    extend: async (run) => {
      const { id, claim } = run as InlineRun
      if (!(await verbs.extend(db, [claim], lease)).includes(claim)) throw leaseLost(id)
    },
    transaction: (run, work) => completeWithin(verbs, pool, run as InlineRun, work),
  }
}

/** The work and the completion commit together or not at all. */
async function completeWithin<Output extends Json>(
  verbs: Verbs,
  pool: pg.Pool,
  run: InlineRun,
  work: (db: Queryable) => Promise<Output>,
): Promise<Output> {
  const { id, claim } = run
  if (run.isSettled) {
    throw new TuskError('wrong_state', `task ${id} is complete already`, {
      hint: 'A task has one transaction; do all of its work in it.',
    })
  }
  const client = await pool.connect()
  try {
    await client.query('begin')
    const output = await work(client)
    const text = encodeJson('output', output)
    const accepted = await verbs.reportDone(client, [{ id, claim, startedAt: null, output: text }])
    if (!accepted.has(id)) throw leaseLost(id)
    await client.query('commit')
    run.isSettled = true
    run.committed = text
    return output
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

function leaseLost(id: string): TuskError {
  return new TuskError('lease_lost', `task ${id} is no longer held by this test`, {
    hint: 'It was cancelled or deleted while it ran, or time passed its lease.',
  })
}
