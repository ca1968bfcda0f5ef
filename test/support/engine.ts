import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { test as base, inject } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'

interface EngineFixtures {
  /** The schema of this test alone. */
  schema: string
  /** A pool whose search path is that schema, so that tests may write `select claim(…)`. */
  db: pg.Pool
}

/** The roles of all test schemas, made once per cluster. */
export const testRoles = 'tusk_test'

/** A real engine in a schema of its own, dropped after the test. */
export const test = base.extend<EngineFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
  schema: async ({}, use) => use(`test_${randomBytes(8).toString('hex')}`),

  db: async ({ schema }, use) => {
    const pool = openPool(schema)
    await migrate(pool, { schema, roles: testRoles })

    await use(pool)

    await pool.query(`drop schema ${schema} cascade`)
    await pool.end()
  },
})

function openPool(schema: string): pg.Pool {
  return new pg.Pool({
    connectionString: inject('pgUrl'),
    options: `-c search_path=${schema} -c client_min_messages=warning`,
    max: 6,
  })
}
