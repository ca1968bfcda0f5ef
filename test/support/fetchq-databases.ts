import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { installDialect } from '../../src/dialects/install-dialect.ts'

/** A database of a test's own. Clients of Fetchq name its schemas, so they need one each. */
export interface TestDatabase {
  readonly url: string
  readonly pool: pg.Pool
  drop(): Promise<void>
}

/** The original, and the dialect in its place, for all tests of a file. */
export interface SideBySide {
  original: TestDatabase
  dialect: TestDatabase
}

/** Opens both before the tests of a file, and drops them after. */
export function sideBySide(): SideBySide {
  const both = {} as SideBySide
  beforeAll(async () => {
    both.original = await openOriginal()
    both.dialect = await openDialect()
  })
  afterAll(async () => {
    await both.original.drop()
    await both.dialect.drop()
  })
  return both
}

/** One in which the dialect is installed, in the schemas that clients know. */
export async function openDialect(): Promise<TestDatabase> {
  const database = await createDatabase()
  await migrate(database.url, { roles: false })
  await installDialect(database.url, { dialect: 'fetchq' })
  return database
}

/** One in which the original is installed, from the SQL that its Node client carries. */
export async function openOriginal(): Promise<TestDatabase> {
  const database = await createDatabase()
  const client = dirname(createRequire(import.meta.url).resolve('fetchq/package.json'))
  const sql = await readFile(join(client, 'lib/functions/client/client.init.sql'), 'utf8')
  await database.pool.query(sql)
  await database.pool.query('create extension "uuid-ossp"')
  await database.pool.query('select * from fetchq.init()')
  return database
}

/** A copy of a database, once the connections of its pool are closed. */
export async function copyDatabase({ url, pool }: TestDatabase): Promise<TestDatabase> {
  if (!pool.ended) await pool.end()
  return createDatabase(new URL(url).pathname.slice(1))
}

async function createDatabase(template = 'template1'): Promise<TestDatabase> {
  const name = `fetchq_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${name} template ${template}`)
  const url = new URL(inject('pgUrl'))
  url.pathname = `/${name}`
  const pool = new pg.Pool({
    connectionString: url.href,
    options: '-c client_min_messages=error',
    max: 2,
  })
  return {
    url: url.href,
    pool,
    drop: async () => {
      if (!pool.ended) await pool.end()
      // The Node client says that it is closed before its connections are: one that is cut off then
      // raises an error that is not caught.
      for (let tries = 0; tries < 1_000 && (await isInUse(name)); tries++) await pause(50)
      await asAdmin(`drop database ${name} with (force)`)
    },
  }
}

async function isInUse(database: string): Promise<boolean> {
  const rows = await asAdmin(`select from pg_stat_activity where datname = '${database}'`)
  return rows.length > 0
}

async function asAdmin(statement: string): Promise<unknown[]> {
  const admin = new pg.Client(inject('pgUrl'))
  await admin.connect()
  const { rows } = await admin.query<object>(statement)
  await admin.end()
  return rows
}
