import type pg from 'pg'
import { requireUrl } from '../db/require-url.ts'
import { databaseUrl } from './database-url.ts'
import type { FindOptions, FoundDatabase } from './found-database.ts'
import { migrateDatabase } from './migrate-database.ts'
import { openEmbedded } from './open-embedded.ts'

/** The forms in which you can pass a database. */
type Database = string | pg.Pool | pg.ClientConfig

/**
 * Finds the database of a client or a worker: the one that was passed, else `DATABASE_URL`, else the embedded Postgres,
 * which is created and migrated on the fly.
 */
export async function findDatabase<Given extends Database>(
  given: Given | undefined,
  options: FindOptions,
): Promise<FoundDatabase<Given>> {
  const database = given ?? databaseUrl()
  if (database === undefined) return openEmbedded(options)
  requireUrl(database, 'database')
  if (options.migrate === true) await migrateDatabase(database, { schema: options.schema })
  return { database, close: async () => {} }
}
