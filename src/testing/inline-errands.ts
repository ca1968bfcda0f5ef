import type pg from 'pg'
import type { Queryable } from '../db/queryable.ts'
import type { Json } from '../engine/task.ts'
import type { Verbs } from '../engine/verbs.ts'
import { completeWithin } from '../runners/complete-within.ts'
import { encodeJson } from '../runners/encode-json.ts'
import { leaseLost } from '../runners/lost.ts'
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
export function openInlineErrands(tools: Tools): Errands {
  const { verbs, db, lease } = tools
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
    transaction: (run, work) => completeInline(tools, run as InlineRun, work),
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
