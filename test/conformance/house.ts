import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { Tusk } from '../../src/client/tusk.ts'
import { migrate } from '../../src/db/migrate.ts'
import { installDialect } from '../../src/dialects/install-dialect.ts'
import { createHttp, type Http } from '../../src/http/app.ts'
import { emptySchema } from '../../src/testing/empty-schema.ts'
import { bulkDoor } from '../support/doors/bulk.ts'
import { clientDoor } from '../support/doors/client.ts'
import type { Door } from '../support/doors/door.ts'
import { queuesDoor } from '../support/doors/queues.ts'
import { singleDoor } from '../support/doors/single.ts'
import { enforceRowRules } from '../support/row-rules.ts'
import { openTestEngine } from '../support/test-engine.ts'
import { Ears } from './ears.ts'
import { httpDoor } from './http-door.ts'
import { objectsDoor } from './objects-door.ts'
import type { DoorName, World } from './scenario.ts'

/** Where each dialect of a house is installed, and the schema of its task table. */
export interface DialectSchemas {
  readonly fetchq: string
  readonly background: string
  readonly pgTask: string
  readonly tables: string
}

/**
 * An engine in a schema of its own, with every dialect over it and every door to it. Scenarios run in it one
 * after the other; it is emptied before each.
 */
export class House {
  readonly schema: string
  readonly pool: pg.Pool
  readonly dialects: DialectSchemas
  readonly #doors: Readonly<Record<DoorName, Door>>
  readonly #ears: Ears
  readonly #http: Http
  readonly #tusk: Tusk
  #usesFetchq: boolean = false

  private constructor(parts: {
    schema: string
    pool: pg.Pool
    dialects: DialectSchemas
    ears: Ears
    http: Http
    tusk: Tusk
  }) {
    this.schema = parts.schema
    this.pool = parts.pool
    this.dialects = parts.dialects
    this.#ears = parts.ears
    this.#http = parts.http
    this.#tusk = parts.tusk
    this.#doors = {
      single: singleDoor,
      bulk: bulkDoor,
      objects: objectsDoor,
      queues: queuesDoor,
      client: clientDoor(this.pool),
      http: httpDoor(this.#http),
    }
  }

  static async open(url: string, roles: string): Promise<House> {
    const name = randomBytes(6).toString('hex')
    const schema = `house_${name}`
    const dialects = {
      fetchq: `house_fq_${name}`,
      background: `house_bg_${name}`,
      pgTask: `house_pt_${name}`,
      tables: `house_tables_${name}`,
    }
    const pool = new pg.Pool({
      connectionString: url,
      options: `-c search_path=${schema} -c client_min_messages=error`,
      max: 4,
    })
    await migrate(pool, { schema, roles })
    await enforceRowRules(pool, schema)
    const over = { engineSchema: schema }
    await installDialect(pool, { dialect: 'fetchq', schema: dialects.fetchq, ...over })
    await installDialect(pool, { dialect: 'pg-background', schema: dialects.background, ...over })
    await installDialect(pool, { dialect: 'pg-task', schema: dialects.pgTask, ...over })
    await pool.query(`select ${dialects.pgTask}.create_task_table($1)`, [dialects.tables])
    const tusk = await Tusk.open({ database: pool, schema, listen: false })
    const http = await createHttp({ tusk, token: httpDoor.token, logger: false, sql: true })
    const ears = await Ears.open(pool, schema)
    return new House({ schema, pool, dialects, ears, http, tusk })
  }

  /** A house without anything in it, seen through a door. */
  async enter(doorName: DoorName): Promise<World> {
    await this.#empty()
    const { schema, pool, dialects } = this
    return {
      doorName,
      schema,
      pool,
      engine: openTestEngine(pool, schema, this.#doors[doorName]),
      heard: (channel) => this.#ears.heard(channel),
      fetchq: async (text, ...values) => {
        this.#usesFetchq = true
        return (await pool.query(text.replaceAll('fetchq.', `${dialects.fetchq}.`), values)).rows
      },
      background: async (text, ...values) =>
        (await pool.query(text.replaceAll('bg.', `${dialects.background}.`), values)).rows,
      taskTable: async (text, ...values) =>
        (await pool.query(text.replaceAll('tables.', `${dialects.tables}.`), values)).rows,
    }
  }

  async close(): Promise<void> {
    const { fetchq, background, pgTask, tables } = this.dialects
    await this.#http.close()
    await this.#tusk.close()
    await this.#ears.close()
    const all = [tables, fetchq, `${fetchq}_data`, background, pgTask, this.schema]
    for (const schema of all) await this.pool.query(`drop schema if exists ${schema} cascade`)
    await this.pool.end()
  }

  async #empty(): Promise<void> {
    await emptySchema(this.pool, this.schema)
    if (this.#usesFetchq) {
      const { fetchq } = this.dialects
      await this.pool.query(`select ${fetchq}.queue_drop(name) from ${fetchq}.queues`)
      const tables = ['planned', 'rounds', 'metrics', 'metrics_writes', 'doc_metrics', 'doc_logs']
      for (const table of tables) await this.pool.query(`delete from ${fetchq}.${table}`)
      await emptySchema(this.pool, this.schema)
      this.#usesFetchq = false
    }
    await this.#ears.forget()
  }
}
