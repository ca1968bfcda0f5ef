import pg from 'pg'
import { call } from '../../../src/engine/call.ts'
import type { Held } from '../../../src/engine/outcomes.ts'
import { reporting, type Success } from '../../../src/engine/reporting.ts'
import type { ClaimedTask, Json } from '../../../src/engine/task.ts'
import type { Behind, Door } from './door.ts'
import { singleDoor } from './single.ts'

const newest = 2 ** 31 - 1

/**
 * The single verbs of SQL, but tasks are claimed and completed as by a worker: claim_queues() from several queues at
 * once, and complete_packs().
 */
export const queuesDoor: Door = (behind) => ({
  ...singleDoor(behind),
  async claim(queue, options = {}) {
    const { verbs, db, schema } = behind
    const { limit = 1, worker = null, lease = '15 seconds', kinds = null } = options
    const { handlers, versions, bytes } = options
    // These are for claims of one queue.
    if (bytes !== undefined || versions !== undefined || ['', '*'].includes(queue)) {
      return verbs.claim(queue, options)
    }
    const text = `
      select id, claim, attempt, max_attempts, iteration::float8 as iteration, priority, version, kind, queue, handler,
             key, groups, tags, parent, created_at, run_at, deadline, timeout::text, lease_expires_at, meta, payload, size
      from ${pg.escapeIdentifier(schema)}.claim_queues(
        array['no-such-queue', $1, 'no-other-queue'], $2, $3, $4, $5, $6, $7, $8)`
    const rows = await call<ClaimedTask & { size: number }>(db, text, [
      queue,
      limit,
      worker,
      lease,
      kinds,
      handlers ?? null,
      handlers?.map(() => 0) ?? null,
      handlers?.map(() => newest) ?? null,
    ])
    return rows.flatMap(({ size, ...row }) =>
      size === 1
        ? [row]
        : (row.payload as Json[]).map((payload, at) => ({
            ...row,
            id: String(BigInt(row.id) + BigInt(at)),
            payload,
          })),
    )
  },
  async complete(held, output = null) {
    const { verbs } = behind
    const [done] = await completeRuns(behind, [held], [output])
    if (done === undefined) await verbs.complete(held, output)
  },
  completeMany: (held, outputs) => completeRuns(behind, held, outputs),
})

/** Tasks with consecutive ids go as one pack, whether they are one or not. Answers with those that were completed. */
async function completeRuns(
  { db, schema }: Behind,
  held: readonly Held[],
  outputs: readonly Json[] = [],
): Promise<string[]> {
  const successes = held.map(({ id, claim }, at): Success => {
    const output = outputs[at] ?? null
    return { id, claim, startedAt: null, output: output === null ? null : JSON.stringify(output) }
  })
  const { accepted } = await reporting(pg.escapeIdentifier(schema)).reportDone(
    db,
    withRuns(successes),
  )
  return [...new Set(held.map(({ id }) => id))].filter((id) => accepted.has(id))
}

function withRuns(ends: readonly Success[]): Success[] {
  const runs: Success[][] = []
  for (const end of ends) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    const follows =
      last !== undefined && last.claim === end.claim && BigInt(last.id) + 1n === BigInt(end.id)
    if (run !== undefined && follows && run.length < 32) run.push(end)
    else runs.push([end])
  }
  return runs.flatMap((run) => {
    const pack = { id: run[0]?.id ?? '', size: run.length }
    return run.map((end) => ({ ...end, pack }))
  })
}
