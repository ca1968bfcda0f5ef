import type { Verbs } from '../../engine/verbs.ts'
import type { ChoreContext } from '../chore.ts'

/**
 * Vacuums the tables that need it and that autovacuum has left alone, as far as this login may. In no
 * transaction: VACUUM cannot run in one. Answers how many.
 */
export async function vacuumWornTables(verbs: Verbs, context: ChoreContext): Promise<number> {
  const { db, signal, log } = context
  const tables = await verbs.wornTables(db)
  for (const table of tables) {
    if (signal.aborted) break
    log.info({ table }, 'vacuuming a table that autovacuum has not come to')
    // The name comes from the catalog, quoted there; a table in use is left for the next time.
    await db.query(`vacuum (skip_locked) ${table}`)
  }
  return tables.length
}
