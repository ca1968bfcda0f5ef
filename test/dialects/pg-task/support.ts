import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { installDialect } from '../../../src/dialects/install-dialect.ts'
import type { WorkerOptions } from '../../../src/worker/options.ts'
import { startWorker, type Worker } from '../../../src/worker/worker.ts'
import { test as base } from '../../support/processes.ts'
import { until } from '../../support/until.ts'

/** A row of a task table, as far as tests look at it. */
export interface TaskRow {
  readonly id: string
  readonly parent: string | null
  readonly plan: Date
  readonly start: Date | null
  readonly stop: Date | null
  readonly state: string
  readonly pid: number | null
  readonly max: number
  readonly output: string | null
  readonly error: string | null
  readonly remote: string | null
  readonly [column: string]: unknown
}

/** A task table, spoken to as its users do: with its schema in the search path. */
export class TaskTable {
  readonly db: pg.Pool
  readonly schema: string
  readonly dialectSchema: string
  readonly engineSchema: string

  constructor(db: pg.Pool, schema: string, dialectSchema: string, engineSchema: string) {
    this.db = db
    this.schema = schema
    this.dialectSchema = dialectSchema
    this.engineSchema = engineSchema
  }

  get queue(): string {
    return `pg_task:${this.schema}.task`
  }

  async rows<Row extends object = TaskRow>(text: string, ...values: unknown[]): Promise<Row[]> {
    return (await this.db.query<Row>(text, values)).rows
  }

  /** The engine's id of the task of a row: live, or the last that ended. */
  async taskOf(id: string): Promise<string> {
    const [row] = await this.rows<{ id: string }>(
      `select id from ${this.engineSchema}.task where queue = $1 and key = $2 order by id desc limit 1`,
      ...[this.queue, id],
    )
    return row?.id ?? ''
  }

  /** The id of a task that is inserted with these columns. */
  async insert(columns: Readonly<Record<string, unknown>>): Promise<string> {
    const names = Object.keys(columns).map((name) => pg.escapeIdentifier(name))
    const places = names.map((_, at) => `$${at + 1}`)
    const text = `insert into task (${names.join(', ')}) values (${places.join(', ')}) returning id`
    const [row] = await this.rows<{ id: string }>(text, ...Object.values(columns))
    return row?.id ?? ''
  }

  async row(id: string): Promise<TaskRow | undefined> {
    return (await this.rows('select * from task where id = $1', id))[0]
  }

  /** The row once it is in one of these states. */
  async when(id: string, ...states: string[]): Promise<TaskRow> {
    await until(async () => states.includes((await this.row(id))?.state ?? 'gone'))
    const row = await this.row(id)
    if (row === undefined) throw new Error(`task ${id} is gone`)
    return row
  }
}

interface PgTaskFixtures {
  /** The schemas of the table and of the dialect, one per file. */
  place: { readonly tables: string; readonly dialect: string }
  table: TaskTable
  /** Starts a worker that serves the table; it is stopped after the test. */
  serve: (options?: Partial<WorkerOptions>) => Promise<Worker>
  /** Inserts a task and gives its row when it has ended; starts a worker if there is none. */
  run: (columns: Readonly<Record<string, unknown>>) => Promise<TaskRow>
}

const ended = ['DONE', 'FAIL', 'GONE', 'STOP']

export const test = base.extend<PgTaskFixtures>({
  place: [
    async ({ schema }, use) => {
      const made = randomBytes(6).toString('hex')
      const place = { tables: `tables_${made}`, dialect: `dialect_${made}` }
      const pool = new pg.Pool({ connectionString: inject('pgUrl'), max: 1 })
      await installDialect(pool, {
        dialect: 'pg-task',
        schema: place.dialect,
        engineSchema: schema,
      })
      await pool.query(`select ${place.dialect}.create_task_table($1)`, [place.tables])

      await use(place)

      await pool.query('set client_min_messages = warning')
      await pool.query(`drop schema ${place.tables}, ${place.dialect} cascade`)
      await pool.end()
    },
    { scope: 'file' },
  ],

  table: async ({ db, place, schema }, use) => {
    await db.query(
      `truncate ${place.tables}.task restart identity; truncate ${place.dialect}.owed_writes`,
    )
    const pool = new pg.Pool({
      connectionString: inject('pgUrl'),
      options: `-c search_path=${place.tables}`,
      max: 10,
    })

    await use(new TaskTable(pool, place.tables, place.dialect, schema))

    await pool.end()
  },

  serve: async ({ table, schema }, use) => {
    const workers: Worker[] = []
    await use(async (options = {}) => {
      const worker = await startWorker({
        database: inject('pgUrl'),
        schema,
        queues: [table.queue],
        tasks: [],
        sql: { allowConnectionStrings: true },
        signals: false,
        graceMs: 200,
        logger: false,
        ...options,
      })
      workers.push(worker)
      return worker
    })
    await Promise.all(workers.map((worker) => worker.stop({ deadlineMs: 0 })))
  },

  run: async ({ table, serve }, use) => {
    let isServed = false
    await use(async (columns) => {
      if (!isServed) await serve()
      isServed = true
      const id = await table.insert({ delete: false, ...columns })
      return table.when(id, ...ended)
    })
  },
})
