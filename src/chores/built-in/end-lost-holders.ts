import type { Verbs } from '../../engine/verbs.ts'
import type { ChoreContext } from '../chore.ts'

/**
 * A host that vanished inside a transaction cannot commit any more, but its session keeps the rows: of a task whose
 * lease is over, and of its groups. What is locked cannot be rescued, so the session is ended first.
 */
export async function endLostHolders(
  verbs: Pick<Verbs, 'endLostHolders'>,
  { db, log }: Pick<ChoreContext, 'db' | 'log'>,
): Promise<void> {
  const found = await verbs.endLostHolders(db)
  const ended = found.filter((one) => one.ended === true).map(({ pid }) => pid)
  const kept = found.filter((one) => one.ended === null).map(({ pid }) => pid)
  if (ended.length > 0) {
    log.warn({ pids: ended }, 'ended sessions of lost workers that held tasks in a transaction')
  }
  if (kept.length > 0) {
    log.warn(
      { pids: kept },
      'sessions of lost workers hold tasks, and this login may not end them: run `tusk doctor`',
    )
  }
}
