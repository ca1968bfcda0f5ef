import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { SqlError, SqlOutput } from '../../src/engine/sql-output.ts'
import type { SqlOptions } from '../../src/worker/sql-options.ts'
import { until } from './until.ts'
import { test as base } from './worker.ts'

/** How a SQL task ended. */
export interface SqlEnd {
  readonly state: 'done' | 'failed' | 'cancelled'
  readonly reason: string | null
  readonly output: SqlOutput
  readonly error: SqlError
}

interface SqlFixtures {
  /** A login without any rights in the engine, for sessions. */
  weakLogin: { readonly role: string; readonly url: string }
  /** Starts a worker that runs SQL tasks. */
  workSql: (options?: SqlOptions) => Promise<unknown>
  /** Enqueues a SQL task, by default tried once, and gives its id. */
  enqueueSql: (payload: string | object, options?: object) => Promise<string>
  /** Waits until a task has ended. */
  endOf: (id: string) => Promise<SqlEnd>
  /** Runs a SQL task to its end. */
  runSql: (payload: string | object, options?: object) => Promise<SqlEnd>
}

/** A real engine and workers that run SQL in it. */
export const test = base.extend<SqlFixtures>({
  weakLogin: async ({ db }, use) => {
    const role = `weak_${randomBytes(6).toString('hex')}`
    await db.query(`create role ${role} login password '${role}'`)
    const url = new URL(inject('pgUrl'))
    url.username = role
    url.password = role
    await use({ role, url: url.href })
    await db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
    )
    await db.query(`drop role ${role}`)
  },

  workSql: async ({ work }, use) => use((sql = {}) => work({ sql, concurrency: 4 })),

  enqueueSql: async ({ engine }, use) =>
    use(async (payload, options = {}) => {
      const given = typeof payload === 'string' ? { sql: payload } : payload
      const task = { queue: 'sql', kind: 'sql' as const, payload: given as never, maxAttempts: 1 }
      return (await engine.enqueue({ ...task, ...options })).id
    }),

  endOf: async ({ engine }, use) =>
    use(async (id) => {
      await until(() => engine.value('select exists (select from finished where id = $1)', id))
      const [end] = await engine.rows<SqlEnd>(
        'select state, reason, output, error from finished where id = $1',
        id,
      )
      if (end === undefined) throw new Error(`task ${id} is gone`)
      return end
    }),

  runSql: async ({ enqueueSql, endOf }, use) =>
    use(async (payload, options) => endOf(await enqueueSql(payload, options))),
})
