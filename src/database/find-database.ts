import type pg from 'pg'
import { requireUrl } from '../db/require-url.ts'
import { databaseUrl } from './database-url.ts'
import type { FindOptions, FoundDatabase } from './found-database.ts'
import { migrateDatabase } from './migrate-database.ts'
import { openEmbedded } from './open-embedded.ts'

/** What can be given as a database. */
type Database = string | pg.Pool | pg.ClientConfig

/**
 * Finds the database of a client or a worker: the one given, else what `DATABASE_URL` names, else the embedded
 * Postgres, which is made and migrated on the fly.
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
