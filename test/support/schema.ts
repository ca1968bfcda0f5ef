import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { test as base, inject } from 'vitest'
import { type MigrateOptions, type MigrationReport, migrate } from '../../src/db/migrate.ts'
import { SqlDirectory, type SqlTree } from './sql-directory.ts'

/** A schema that does not exist yet, and a folder of SQL to fill it from. */
export class TestSchema {
  readonly db: pg.Pool
  readonly name: string
  readonly #sql: SqlDirectory

  constructor(db: pg.Pool, name: string, sql: SqlDirectory) {
    this.db = db
    this.name = name
    this.#sql = sql
  }

  get options(): MigrateOptions {
    return { schema: this.name, roles: false, directory: this.#sql.path }
  }

  /** Puts a version into the folder without migrating. */
  async release(files: SqlTree): Promise<void> {
    await this.#sql.release(files)
  }

  /** Puts a version into the folder and migrates to it. */
  async upgrade(files: SqlTree, options: MigrateOptions = {}): Promise<MigrationReport> {
    await this.release(files)
    return migrate(this.db, { ...this.options, ...options })
  }

  /** Runs a query with `:s` standing for the schema. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const quoted = text.replaceAll(':s', pg.escapeIdentifier(this.name))
    return (await this.db.query<Row>(quoted, values)).rows
  }

  /** One value of one row. */
  async value(text: string, values: unknown[] = []): Promise<unknown> {
    const [row] = await this.query(text, values)
    return row === undefined ? undefined : Object.values(row)[0]
  }

  async drop(): Promise<void> {
    await this.query('drop schema if exists :s cascade')
    await this.#sql.remove()
  }
}

interface SchemaFixtures {
  db: pg.Pool
  /** Makes a schema of this test, dropped afterwards; the name is made up unless given. */
  newSchema: (name?: string) => Promise<TestSchema>
  schema: TestSchema
}

/** For tests of the migrator: a database, and schemas that are still to be made. */
export const test = base.extend<SchemaFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
  db: async ({}, use) => {
    const pool = new pg.Pool({ connectionString: inject('pgUrl'), max: 12 })
    await use(pool)
    await pool.end()
  },

  newSchema: async ({ db }, use) => {
    const made: TestSchema[] = []
    await use(async (name = `test_${randomBytes(8).toString('hex')}`) => {
      const schema = new TestSchema(db, name, await SqlDirectory.create())
      made.push(schema)
      return schema
    })
    for (const schema of made) await schema.drop()
  },

  schema: async ({ newSchema }, use) => use(await newSchema()),
})
