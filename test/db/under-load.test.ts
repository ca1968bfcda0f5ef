import type pg from 'pg'
import { describe, expect } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { type TestSchema, test } from '../support/schema.ts'
import { until } from '../support/until.ts'
import { first, second } from '../support/versions.ts'

/** Does one thing over and over until it is stopped; rejects at the first error. */
class Load {
  readonly #over = new AbortController()
  readonly #running: Promise<number>[]

  constructor(...doings: (() => Promise<unknown>)[]) {
    this.#running = doings.map((doing) => this.#repeat(doing))
  }

  async #repeat(doing: () => Promise<unknown>): Promise<number> {
    let times = 0
    for (; !this.#over.signal.aborted; times += 1) await doing()
    return times
  }

  async stop(): Promise<number[]> {
    this.#over.abort()
    return Promise.all(this.#running)
  }
}

async function inTransaction(schema: TestSchema, ...statements: string[]): Promise<void> {
  await schema.query(['begin', ...statements, 'commit'].join('; '))
}

/** A connection inside a transaction that has touched the table notes. */
async function holdNotes(schema: TestSchema): Promise<pg.PoolClient> {
  const client = await schema.db.connect()
  await client.query(`begin; select ${schema.name}.note('mine')`)
  return client
}

async function letGo(client: pg.PoolClient): Promise<void> {
  await client.query('commit')
  client.release()
}

const someoneWaits = `
  select from pg_locks join pg_class on pg_class.oid = relation
  where relnamespace = $1::regnamespace and not granted`

const wider = {
  ...second,
  'migrations/0003_wider.sql': `
    alter table authors add column mail text;
    alter table notes add column mail text;
    create index notes_by_author on notes (author);`,
}

describe('a migration under load', () => {
  test('fails no session that writes, and none that reads', async ({ schema }) => {
    await schema.upgrade({
      ...second,
      'verbs/note_count.sql': first['verbs/note_count.sql'],
    })
    const load = new Load(
      () => schema.query(`select :s.note('one')`),
      () => schema.query(`select :s.note('two')`),
      () => schema.query('select * from :s.a_summary'),
      () => schema.query('select count(*) from :s.note_list'),
      () =>
        inTransaction(
          schema,
          `select :s.note('three')`,
          'select pg_sleep(0.005)',
          'select from :s.authors',
        ),
      () =>
        inTransaction(
          schema,
          'select from :s.authors',
          'select pg_sleep(0.005)',
          `select :s.note('four')`,
        ),
      () =>
        inTransaction(
          schema,
          'select :s.note_count()',
          'update :s.notes set text = text where id = 1',
        ),
    )

    await schema.upgrade({
      ...wider,
      'verbs/note_count.sql': first['verbs/note_count.sql'],
    })
    const times = await load.stop()

    expect(Math.min(...times)).toBeGreaterThan(0)
    expect(await schema.value('select count(mail)::int from :s.notes')).toBe(0)
  })

  test('that changes functions only waits for no session', async ({ schema }) => {
    await schema.upgrade(first)
    const holder = await holdNotes(schema)

    const body = first['verbs/note_count.sql'].replace('count(*)', 'count(*) + 100')
    await schema.upgrade({ ...first, 'verbs/note_count.sql': body }, { tries: 1 })
    await letGo(holder)

    expect(await schema.value('select :s.note_count()')).toBe('101')
  })
})

describe('a table in use', () => {
  test('is waited for, and asked for again', async ({ schema }) => {
    await schema.upgrade(first)
    const holder = await holdNotes(schema)
    await schema.release(second)

    const patient = { lockTimeoutMs: 50, retryDelayMs: 10, tries: 1_000 }
    const migration = migrate(schema.db, { ...schema.options, ...patient })
    const waits = async () => (await schema.query(someoneWaits, [schema.name])).length > 0
    await until(waits)
    await until(async () => !(await waits()))
    await letGo(holder)

    expect((await migration).applied).toContain('migrations/0002_authors.sql')
  })

  test('is given up after some tries, naming who holds it', async ({ schema }) => {
    await schema.upgrade(first)
    const holder = await holdNotes(schema)
    const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid')

    const hasty = { lockTimeoutMs: 20, retryDelayMs: 1, tries: 3 }
    await expect(schema.upgrade(second, hasty)).rejects.toMatchObject({
      code: 'schema_locked',
      hint: expect.stringMatching(
        new RegExp(`pid ${rows[0]?.pid} \\(.*\\): select pg_backend_pid`),
      ),
    })
    await letGo(holder)

    expect((await schema.upgrade(second)).applied).toContain('migrations/0002_authors.sql')
  })

  test('is left to a worker that would be caught in a deadlock', async ({ schema }) => {
    await schema.upgrade(second)
    const worker = await holdNotes(schema)
    await schema.release(wider)

    const migration = migrate(schema.db, schema.options)
    await until(async () => (await schema.query(someoneWaits, [schema.name])).length > 0)
    await worker.query(`insert into ${schema.name}.authors values ('ada')`)
    await letGo(worker)

    expect((await migration).applied).toEqual(['migrations/0003_wider.sql'])
    expect(await schema.query('select name from :s.authors')).toEqual([{ name: 'ada' }])
  })
})
