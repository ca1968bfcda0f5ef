import type pg from 'pg'
import {
  type MigrateOptions,
  type MigrationReport,
  migrate as migrateEngine,
} from '../db/migrate.ts'
import { ServerClient } from '../db/server-client.js'
import type { Target } from '../db/with-client.ts'
import { upgradeDialects } from '../dialects/upgrade-dialects.ts'
import { TuskError } from '../lib/errors.ts'
import { databaseUrl } from './database-url.ts'

/**
 * Installs Tusk into a database, or upgrades it to this version, in one transaction; then upgrades the dialects in it.
 * Does nothing if all of it is up to date. The database is a connection string, a `pg.Pool` or a connected client.
 * Default: the value of `DATABASE_URL`.
 *
 * @example
 * ```ts
 * import { migrate } from 'pgtusk'
 *
 * const { applied } = await migrate(process.env.DATABASE_URL)
 * console.log(applied.length === 0 ? 'up to date' : `${applied.length} files applied`)
 * ```
 */
export async function migrate(
  database: Target | undefined = databaseUrl(),
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  if (database === undefined) {
    throw new TuskError('invalid_argument', 'migrate() needs a database', {
      hint: 'Give a connection string or a pg.Pool, or set DATABASE_URL.',
    })
  }
  const report = await migrateEngine(database, options)
  await upgradeDialects(database, { engineSchema: report.schema })
  return report
}

/** Like migrate(), for every form in which a client or a worker takes a database. */
export async function migrateDatabase(
  database: Target | pg.ClientConfig,
  options: MigrateOptions,
): Promise<void> {
  if (typeof database === 'string' || 'query' in database) {
    await migrate(database as Target, options)
    return
  }
  const client = new ServerClient(database as pg.ClientConfig)
  await client.connect()
  try {
    await migrate(client, options)
  } finally {
    await client.end()
  }
}
