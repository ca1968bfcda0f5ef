import type pg from 'pg'
import { Tusk } from '../client/tusk.ts'
import { withTypeParsers } from '../db/row-types.ts'
import { openEngine } from '../engine/verbs.ts'
import { type Duration, toTimerMs } from '../lib/duration.ts'
import { type KnownOptions, requireOptions } from '../lib/require-known.ts'
import type { Middleware } from '../runners/handler/perform.ts'
import { listTasks, type Tasks } from '../tasks/task-list.ts'
import { InlineWorker } from './inline-worker.ts'
import { openTestDatabase } from './test-database.ts'
import { TestTusk } from './test-tusk.ts'

/** How a test tusk is opened. */
export interface TestTuskOptions<T extends Tasks> {
  /** The tasks to test: a list of definitions, or a map of handlers, as for the client and the worker. */
  readonly tasks: T
  /**
   * A connection string, or a `pg.Pool`, which stays open. Left out: what `DATABASE_URL` says; if
   * that is not set either, an embedded Postgres that this process shares and that ends with it.
   */
  readonly database?: string | pg.Pool | undefined
  /** The name of the schema that is made for this test and dropped when it is closed; random by default. */
  readonly schema?: string | undefined
  /** Runs around each handler, as in a worker. */
  readonly middleware?: Middleware | undefined
  /** How long a handler may take to stop after it was asked to; by default a second. */
  readonly graceMs?: Duration | undefined
}

const testOptions: KnownOptions<TestTuskOptions<Tasks>> = {
  tasks: true,
  database: true,
  schema: true,
  middleware: true,
  graceMs: true,
}

/**
 * Opens a client in a fresh schema on a real Postgres, to test handlers without a worker process.
 * Knows no test framework and so works with all.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { test } from 'node:test'
 * import { openTestTusk } from 'pgtusk/testing'
 *
 * test('a welcome mail is sent', async () => {
 *   await using tusked = await openTestTusk({ tasks })
 *
 *   const task = await tusked.tusk.enqueue('welcome', { to: 'ada' })
 *
 *   assert.equal((await tusked.waitFor(task)).state, 'done')
 * })
 * ```
 */
export async function openTestTusk<const T extends Tasks>(
  options: TestTuskOptions<T>,
): Promise<TestTusk<T>> {
  requireOptions('openTestTusk()', options as TestTuskOptions<Tasks>, testOptions)
  const { middleware } = options
  const graceMs = toTimerMs('graceMs', options.graceMs ?? 1_000)
  const tasks = listTasks(options.tasks)
  const database = await openTestDatabase(options.database, options.schema)
  try {
    const { pool, schema } = database
    const tusk = await Tusk.open({ database: pool, schema, tasks: options.tasks })
    const verbs = openEngine({ schema })
    const db = withTypeParsers(pool)
    const worker = new InlineWorker({ verbs, pool, db, schema, tasks, middleware, graceMs })
    return new TestTusk<T>({ tusk, verbs, db, database, worker })
  } catch (error) {
    await database.close()
    throw error
  }
}
