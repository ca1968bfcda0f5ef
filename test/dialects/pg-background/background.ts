import pg from 'pg'
import { inject } from 'vitest'
import { installDialect } from '../../../src/dialects/install-dialect.ts'
import type { WorkerOptions } from '../../../src/worker/options.ts'
import type { Worker } from '../../../src/worker/worker.ts'
import { until } from '../../support/until.ts'
import { test as base } from '../../support/worker.ts'

/** What `pg_background_tasks` shows of a task. */
export interface WatchedTask {
  readonly id: string
  readonly state: 'pending' | 'running' | 'retrying' | 'failed' | 'finished'
  readonly retry_count: number
  readonly retry_delay_in_sec: number
  readonly topics: string[]
  readonly errors: string | null
}

interface BackgroundFixtures {
  /** The schema in which this file's tests speak pg_background. */
  dialect: string
  /** A pool that finds the names of the dialect. */
  bg: pg.Pool
  /** The first column of the first row. */
  ask: <T = string>(text: string, ...values: unknown[]) => Promise<T>
  /** Launches and gives the id. */
  launch: (sql: string, options?: string) => Promise<string>
  /** Starts a worker that runs background tasks. */
  workBackground: (options?: Partial<WorkerOptions>) => Promise<Worker>
  /** Resolves when a task has ended; gives what the paper's table shows of it. */
  endOf: (id: string) => Promise<WatchedTask>
  /** A connection of its own, on which the dialect's names are found. */
  session: () => Promise<pg.Client>
}

/** A real engine with the dialect over it, and workers that run SQL. */
export const test = base.extend<BackgroundFixtures>({
  dialect: [
    async ({ schema }, use) => {
      const dialect = `${schema}_bg`
      await installDialect(inject('pgUrl'), {
        dialect: 'pg-background',
        schema: dialect,
        engineSchema: schema,
      })
      await use(dialect)
      const client = new pg.Client(inject('pgUrl'))
      await client.connect()
      await client.query(`drop schema ${dialect} cascade`)
      await client.end()
    },
    { scope: 'file' },
  ],

  bg: async ({ db, dialect }, use) => {
    await db.query(`truncate ${dialect}.background_topics, ${dialect}.background_detached`)
    await db.query(
      `update ${dialect}.background_defaults set max_parallel_running_tasks_count = null,
         delay_in_sec = null, retry_count = null, reserve = null, max_retry_delay_in_sec = null`,
    )
    const pool = new pg.Pool({
      connectionString: inject('pgUrl'),
      options: `-c search_path=${dialect},public -c client_min_messages=warning`,
      max: 10,
    })
    await use(pool)
    await pool.end()
  },

  ask: async ({ bg }, use) =>
    use(async <T>(text: string, ...values: unknown[]) => {
      const { rows } = await bg.query<Record<string, T>>(text, values)
      return Object.values(rows[0] ?? {})[0] as T
    }),

  launch: async ({ ask }, use) =>
    use((sql, options = '') =>
      ask(`select pg_background_launch($1${options === '' ? '' : `, ${options}`})`, sql),
    ),

  workBackground: async ({ work }, use) =>
    use((options = {}) => work({ sql: true, queues: ['pg_background'], ...options })),

  endOf: async ({ ask, bg }, use) =>
    use(async (id) => {
      await until(() =>
        ask('select closed_at is not null from pg_background_tasks where id = $1', id),
      )
      const { rows } = await bg.query<WatchedTask>(
        'select * from pg_background_tasks where id = $1',
        [id],
      )
      if (rows[0] === undefined) throw new Error(`task ${id} is gone`)
      return rows[0]
    }),

  session: async ({ bg }, use) => {
    const clients: pg.Client[] = []
    await use(async () => {
      const client = new pg.Client({ ...bg.options })
      clients.push(client)
      await client.connect()
      return client
    })
    for (const client of clients) await client.end()
  },
})
