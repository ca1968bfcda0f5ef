import { launch } from '../embedded/launch.ts'
import type { FindOptions, FoundDatabase } from './found-database.ts'
import { migrateDatabase } from './migrate-database.ts'

/** Opens the embedded Postgres with the engine installed. It stops when the last process that opened it closes it. */
export async function openEmbedded({
  schema,
  stateDirectory,
}: FindOptions): Promise<FoundDatabase<never>> {
  const cluster = await launch({ stateDirectory })
  try {
    await migrateDatabase(cluster.url, { schema })
    return { database: cluster.url, close: async () => void (await cluster.stop()) }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}
