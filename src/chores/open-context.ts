import { TuskError } from '../lib/errors.ts'
import type { Chore, ChoreContext, Once } from './chore.ts'
import type { ChoreTools, Grant } from './strategies/strategy.ts'

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
        // It keeps successors out, and the one who would roll it back may be dead.
        const withinMs = Math.min(chore.timeoutMs, grant.trustedForMs())
        await db.query('begin')
        try {
          await verbs.limitRun(db, withinMs, { chore: chore.name, worker, term })
          const answer = await work(db)
          signal.throwIfAborted()
          await db.query('commit')
          return answer
        } catch (error) {
          if (error instanceof TuskError && error.code === 'leadership_lost') grant.doubt()
          await db.query('rollback').catch(() => {})
          throw error
        }
      }),
  }
}

/** In place of the context's transaction, where the right to do the chore lasts longer than the statement can. */
export function openOnce(
  tools: ChoreTools,
  chore: Chore,
  grant: Grant,
  { signal, transaction }: ChoreContext,
): Once {
  const lasts = () => tools.onceMs <= Math.min(chore.timeoutMs, grant.trustedForMs())
  const tryOnce: Once = async (statement) => {
    signal.throwIfAborted()
    return (await tools.once(signal, statement)) ?? transaction(statement)
  }
  return async (statement) => {
    if (!lasts()) return transaction(statement)
    try {
      return await tryOnce(statement)
    } catch (error) {
      if (error instanceof TuskError && error.code === 'leadership_lost') grant.doubt()
      if (!isTimeout(error) || signal.aborted) throw error
    }
    return transaction(statement)
  }
}

/** The server ended the statement, which may have needed only a little more. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '57014'
}
