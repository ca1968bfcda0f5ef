import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Dialect } from '../../src/dialects/dialect.ts'
import {
  type DialectReport,
  type InstallDialectOptions,
  installDialect,
} from '../../src/dialects/install-dialect.ts'
import { test as engineTest } from './engine.ts'
import { SqlDirectory, type SqlTree } from './sql-directory.ts'

/** A dialect that a test writes, over the engine of its file. */
export class MadeUpDialect {
  readonly schema: string
  readonly #db: pg.Pool
  readonly #engineSchema: string
  readonly #sql: SqlDirectory

  constructor(db: pg.Pool, engineSchema: string, schema: string, sql: SqlDirectory) {
    this.#db = db
    this.#engineSchema = engineSchema
    this.schema = schema
    this.#sql = sql
  }

  get dialect(): Dialect {
    return { name: 'made-up', about: 'a test', schema: this.schema, directory: this.#sql.path }
  }

  /** Makes these files the dialect, and installs it. */
  async install(
    files: SqlTree,
    options: Partial<InstallDialectOptions> = {},
  ): Promise<DialectReport> {
    await this.#sql.release(files)
    const engineSchema = this.#engineSchema
    return installDialect(this.#db, { dialect: this.dialect, engineSchema, ...options })
  }

  /** One value, with `:d` standing for the schema of the dialect. */
  async value(text: string): Promise<unknown> {
    const quoted = text.replaceAll(':d', pg.escapeIdentifier(this.schema))
    const { rows } = await this.#db.query<Record<string, unknown>>(quoted)
    return Object.values(rows[0] ?? {})[0]
  }

  async drop(): Promise<void> {
    await this.#db.query(`drop schema if exists ${pg.escapeIdentifier(this.schema)} cascade`)
    await this.#sql.remove()
  }
}

interface DialectFixtures {
  /** Makes a dialect in a schema of this test, dropped afterwards. */
  newDialect: (schema?: string) => Promise<MadeUpDialect>
}

/** For tests of the installer: an engine, and dialects that are still to be written. */
export const test = engineTest.extend<DialectFixtures>({
  newDialect: async ({ db, schema }, use) => {
    const made: MadeUpDialect[] = []
    await use(async (name = `dialect_${randomBytes(8).toString('hex')}`) => {
      const dialect = new MadeUpDialect(db, schema, name, await SqlDirectory.create())
      made.push(dialect)
      return dialect
    })
    for (const dialect of made) await dialect.drop()
  },
})
