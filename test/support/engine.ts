import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { test as base, inject } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { emptySchema } from '../../src/testing/empty-schema.ts'
import { guarded } from './doors/guard.ts'
import { chosenDoor, openDoor } from './doors/index.ts'
import { giveSchema, rememberSchema, takeSchema } from './kept-schemas.ts'
import { enforceRowRules } from './row-rules.ts'
import { Sessions } from './sessions.ts'
import { openTestEngine, type TestEngine } from './test-engine.ts'

interface EngineFixtures {
  /** The schema of this file's tests. */
  schema: string
  /** Lends the pool of this file. */
  sessions: Sessions
  /** A pool whose search path is that schema, so that tests may write `select claim(…)`. */
  db: pg.Pool
  /** The verbs on that pool through the chosen door, and the words that tests need besides. */
  engine: TestEngine
  /** Lends connections of the test's own, for transactions and settings; closed after the test. */
  connect: () => Promise<pg.Client>
}

/** The roles of all test schemas, made once per cluster. */
export const testRoles = 'tusk_test'

/**
 * A real engine in a schema of its own: one for a whole file, and for files after it, since to install
 * it takes longer than most tests do; emptied before each test.
 */
export const test = base.extend<EngineFixtures>({
  schema: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
    async ({}, use) => {
      const kept = await takeSchema()
      const schema = kept ?? `test_${randomBytes(8).toString('hex')}`
      const pool = openPool(schema)
      if (kept === undefined) {
        await migrate(pool, { schema, roles: testRoles })
        await enforceRowRules(pool, schema)
        await rememberSchema(pool, schema)
      }

      await use(schema)

      await giveSchema(pool, schema)
      await pool.end()
    },
    { scope: 'file' },
  ],

  sessions: [
    async ({ schema }, use) => {
      const sessions = new Sessions(() => openPool(schema))
      await use(sessions)
      await sessions.end()
    },
    { scope: 'file' },
  ],

  db: async ({ schema, sessions }, use) => {
    const pool = await sessions.lend()
    await emptySchema(pool, schema)
    await use(pool)
  },

  engine: async ({ db, schema, task }, use) =>
    use(openTestEngine(db, schema, guarded(openDoor(chosenDoor(), db), task.file.filepath))),

  connect: async ({ db }, use) => {
    const clients: pg.Client[] = []
    await use(async () => {
      const client = new pg.Client({ ...db.options })
      clients.push(client)
      await client.connect()
      return client
    })
    for (const client of clients) await client.end()
  },
})

function openPool(schema: string): pg.Pool {
  return new pg.Pool({
    connectionString: inject('pgUrl'),
    options: `-c search_path=${schema} -c client_min_messages=warning`,
    max: 6,
  })
}
