import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../db/migrate.ts'
import { requireSchemaName } from '../db/schema-name.ts'
import { TuskError } from '../lib/errors.ts'
import { sharedCluster } from './shared-cluster.ts'

/** A schema of its own for one test tusk. */
export interface TestDatabase {
  readonly pool: pg.Pool
  readonly schema: string
  /** Drops the schema, and closes the pool if it was opened here. */
  close(): Promise<void>
}

/** Installs a fresh schema where `database` says, else at DATABASE_URL, else in an embedded Postgres. */
export async function openTestDatabase(
  database: string | pg.Pool | undefined,
  schema: string = `tusk_test_${randomBytes(6).toString('hex')}`,
): Promise<TestDatabase> {
  requireSchemaName(schema)
  const given = database ?? (process.env['DATABASE_URL'] || (await sharedCluster()))
  const pool = typeof given === 'string' ? openPool(given) : given
  const end = async () => {
    if (typeof given === 'string') await pool.end()
  }
  try {
    await requireFresh(pool, schema)
    // Roles belong to the whole cluster, and would outlive the schema.
    await migrate(pool, { schema, roles: false })
  } catch (error) {
    await end()
    throw error
  }
  return {
    pool,
    schema,
    close: async () => {
      await pool.query(`drop schema if exists ${pg.escapeIdentifier(schema)} cascade`)
      await end()
    },
  }
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, application_name: 'tusk testing' })
  // Unheard, the loss of an idle connection would end the process.
  pool.on('error', () => {})
  return pool
}

/** It is dropped in the end, so it must not be in use. */
async function requireFresh(pool: pg.Pool, schema: string): Promise<void> {
  const { rowCount } = await pool.query('select from pg_namespace where nspname = $1', [schema])
  if (rowCount === 0) return
  throw new TuskError('invalid_argument', `the schema ${schema} is there already`, {
    hint: 'A test tusk drops its schema when it is closed. Leave `schema` out, or name one that is new.',
  })
}
