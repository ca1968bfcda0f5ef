import type { Queryable } from '../db/queryable.ts'
import type { Chore, ChoreContext } from './chore.ts'
import type { ChoreTools, Grant } from './strategy.ts'

/** Postgres takes 0 for no limit. */
const leastTimeoutMs = 1

/** What one run of a chore may use, as long as its signal has not aborted. */
export function openContext(
  tools: ChoreTools,
  chore: Chore,
  grant: Grant,
  signal: AbortSignal,
): ChoreContext {
  const { verbs, worker, log, borrow } = tools
  const { term } = grant
  return {
    signal,
    term,
    worker,
    batch: chore.batch,
    log,
    db: { query: (text, values) => borrow(signal, (db) => db.query(text, values)) },
    transaction: (work) =>
      borrow(signal, async (db) => {
        signal.throwIfAborted()
        await begin(db, Math.min(chore.timeoutMs, grant.trustedForMs()))
        try {
          if (term !== null) await verbs.fence(db, chore.name, worker, term)
          const answer = await work(db)
          signal.throwIfAborted()
          await db.query('commit')
          return answer
        } catch (error) {
          await db.query('rollback').catch(() => {})
          throw error
        }
      }),
  }
}

/**
 * Postgres itself ends the transaction before leadership could pass on: it keeps successors out, and
 * the one who would roll it back may be dead.
 */
async function begin(db: Queryable, withinMs: number): Promise<void> {
  const ms = Math.max(Math.trunc(withinMs), leastTimeoutMs)
  await db.query(
    `begin; set local statement_timeout = ${ms}; set local idle_in_transaction_session_timeout = ${ms}`,
  )
}
