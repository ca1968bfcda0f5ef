import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { test as base, inject } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import type { Queryable } from '../../src/db/queryable.ts'
import { installDialect } from '../../src/dialects/install-dialect.ts'
import { emptySchema } from '../../src/testing/empty-schema.ts'
import { testRoles } from './engine.ts'
import { enforceRowRules } from './row-rules.ts'
import { openTestEngine, type TestEngine } from './test-engine.ts'

/** The dialect as its users see it, in statements where `fetchq.` and `fetchq_data.` stand for its schemas. */
export class Fetchq {
  readonly schema: string
  readonly engine: TestEngine
  readonly #db: Queryable

  constructor(db: Queryable, schema: string, engine: TestEngine) {
    this.#db = db
    this.schema = schema
    this.engine = engine
  }

  async rows<Row extends object = Record<string, unknown>>(
    text: string,
    ...values: unknown[]
  ): Promise<Row[]> {
    const named = text
      .replaceAll('fetchq_data.', `${this.schema}_data.`)
      .replaceAll('fetchq.', `${this.schema}.`)
    return (await this.#db.query<Row>(named, values)).rows
  }

  /** The first row. */
  async row(text: string, ...values: unknown[]): Promise<Record<string, unknown> | undefined> {
    return (await this.rows(text, ...values))[0]
  }

  /** The first column of the first row. */
  async value<T = unknown>(text: string, ...values: unknown[]): Promise<T> {
    return Object.values((await this.row(text, ...values)) ?? {})[0] as T
  }

  /** Makes a queue with these documents in it, due now. */
  async queue(name: string, ...subjects: string[]): Promise<void> {
    await this.rows('select fetchq.queue_create($1)', name)
    for (const subject of subjects) await this.rows('select fetchq.doc_push($1, $2)', name, subject)
  }

  /** Picks one document and gives its subject; undefined when there is none. */
  async pick(queue: string, lock = '5m'): Promise<string | undefined> {
    const picked = await this.row('select * from fetchq.doc_pick($1, 0, 1, $2)', queue, lock)
    return picked?.['subject'] as string | undefined
  }

  /** A document as its relation shows it. */
  doc(queue: string, subject: string): Promise<Record<string, unknown> | undefined> {
    return this.row(`select * from fetchq_data.${queue}__docs where subject = $1`, subject)
  }

  /** Lets time pass for documents, and for what is noted about them. */
  async pass(time: string): Promise<void> {
    await this.engine.pass(time)
    await this.rows('update fetchq.planned set run_at = run_at - $1::interval', time)
    await this.rows('update fetchq.doc_logs set created_at = created_at - $1::interval', time)
    await this.rows('update fetchq.doc_metrics set created_at = created_at - $1::interval', time)
    await this.rows('update fetchq.jobs set next_iteration = next_iteration - $1::interval', time)
  }

  /** The counters of a queue that are not zero, after packing. */
  async counters(queue: string): Promise<Record<string, number>> {
    await this.rows('select fetchq.metric_log_pack()')
    const rows = await this.rows<{ metric: string; value: string }>(
      'select metric, current_value as value from fetchq.metric_get($1) where current_value <> 0',
      queue,
    )
    return Object.fromEntries(rows.map(({ metric, value }) => [metric, Number(value)]))
  }

  /** The same on another connection. */
  on(db: Queryable): Fetchq {
    return new Fetchq(db, this.schema, this.engine)
  }
}

interface FetchqFixtures {
  /** Schemas of this file's tests: the engine's, and the dialect's over it. */
  schemas: { readonly engine: string; readonly dialect: string }
  db: pg.Pool
  fetchq: Fetchq
  /** The dialect on connections of the test's own, closed after it. */
  connect: (options?: pg.ClientConfig) => Promise<Fetchq & { readonly client: pg.Client }>
}

/** The dialect fetchq over an engine, installed once per file and emptied before each test. */
export const test = base.extend<FetchqFixtures>({
  schemas: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
    async ({}, use) => {
      const engine = `test_${randomBytes(8).toString('hex')}`
      const dialect = `fq_${randomBytes(8).toString('hex')}`
      const pool = new pg.Pool({ connectionString: inject('pgUrl'), max: 2 })
      await migrate(pool, { schema: engine, roles: testRoles })
      await enforceRowRules(pool, engine)
      await installDialect(pool, { dialect: 'fetchq', schema: dialect, engineSchema: engine })

      await use({ engine, dialect })

      await pool.query(`drop schema if exists ${dialect}, ${dialect}_data cascade`)
      await pool.query(`drop schema ${engine} cascade`)
      await pool.end()
    },
    { scope: 'file' },
  ],

  db: async ({ schemas }, use) => {
    const pool = new pg.Pool({
      connectionString: inject('pgUrl'),
      options: `-c search_path=${schemas.engine} -c client_min_messages=error`,
      max: 6,
    })
    await use(pool)
    await pool.end()
  },

  fetchq: async ({ db, schemas }, use) => {
    const fetchq = new Fetchq(db, schemas.dialect, openTestEngine(db, schemas.engine))
    await fetchq.rows('select fetchq.queue_drop(name) from fetchq.queues')
    await fetchq.rows('truncate fetchq.metrics, fetchq.metrics_writes, fetchq.doc_logs')
    await fetchq.rows('update fetchq.jobs set next_iteration = now(), attempts = 0')
    await emptySchema(db, schemas.engine)

    await use(fetchq)
  },

  connect: async ({ db, fetchq }, use) => {
    const clients: pg.Client[] = []
    await use(async (options = {}) => {
      const client = new pg.Client({ ...db.options, ...options })
      clients.push(client)
      await client.connect()
      return Object.assign(fetchq.on(client), { client })
    })
    for (const client of clients) await client.end()
  },
})
