import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject } from 'vitest'
import { tusk } from '../support/cli.ts'
import { test as base } from '../support/engine.ts'

const test = base.extend<{ moduleWith: (text: string, name?: string) => Promise<string> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixture's needs from this pattern.
  moduleWith: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'tusk-work-'))
    await use(async (text, name = 'tasks.mjs') => {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    })
    await rm(folder, { recursive: true })
  },
})

const never = () => new Promise<void>(() => {})

describe('tusk work', () => {
  test('--once does what is due with the exports of a module, and ends', async ({
    engine,
    schema,
    moduleWith,
  }) => {
    const path = await moduleWith(`
      export const greet = async ({ name }) => 'Hello, ' + name
      export const quarrel = () => { throw new Error('no') }
    `)
    const done = await engine.enqueue({
      queue: 'greet',
      handler: 'greet',
      payload: { name: 'Ada' },
    })
    const failed = await engine.enqueue({ queue: 'quarrel', handler: 'quarrel', maxAttempts: 1 })
    const other = await engine.enqueue({ queue: 'greet', handler: 'unknown_here' })
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }

    const { code, talk } = await tusk(['work', path, '--once'], env, never)

    expect(code).toBe(0)
    expect(talk).toMatch(/^Working on greet, quarrel at .*; Ctrl-C stops\.$/m)
    expect(await engine.task(done.id)).toMatchObject({ state: 'done', output: 'Hello, Ada' })
    expect(await engine.task(failed.id)).toMatchObject({ state: 'failed' })
    expect(await engine.task(other.id)).toMatchObject({ state: 'ready' })
  })

  test('takes module, queues and schedules from the configuration', async ({
    engine,
    schema,
    moduleWith,
  }) => {
    await moduleWith('export const tasks = { greet: () => 1 }')
    const config = await moduleWith(
      JSON.stringify({
        database: { url: inject('pgUrl'), schema },
        worker: { handlers: './tasks.mjs', queues: ['hall'] },
        schedules: { later: { task: { queue: 'hall' }, every: '1 day' } },
      }),
      'tusk.json',
    )
    const inHall = await engine.enqueue({ queue: 'hall', handler: 'greet' })
    const elsewhere = await engine.enqueue({ queue: 'greet', handler: 'greet' })

    const { code } = await tusk(['--config', config, 'work', '--once'], {}, never)

    expect(code).toBe(0)
    expect(await engine.task(inHall.id)).toMatchObject({ state: 'done' })
    expect(await engine.task(elsewhere.id)).toMatchObject({ state: 'ready' })
    expect(await engine.value(`select count(*)::int from schedule where name = 'later'`)).toBe(1)
  })

  test('runs SQL alone when asked to', async ({ engine, schema }) => {
    await engine.rows(`select sql('select 7')`)
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }

    const { code, talk } = await tusk(['work', '--sql', '--once'], env, never)

    expect({ code, talk }).toEqual({ code: 0, talk: expect.stringContaining('Working on SQL') })
    expect(await engine.value('select state from task')).toBe('done')
  })

  test('heeds what the configuration says of SQL: connection strings, rows and time', async ({
    engine,
    schema,
  }) => {
    const url = inject('pgUrl')
    const ask = (payload: object, more: object = {}) =>
      engine.enqueue({
        queue: 'sql',
        kind: 'sql',
        maxAttempts: 1,
        payload: payload as never,
        ...more,
      })
    // A busy machine may take longer than 300 ms to connect.
    const remote = await ask(
      { sql: 'select 1 as n union select 2', connection: { dsn: url } },
      { timeout: '5 minutes' },
    )
    const slow = await ask({ sql: 'select pg_sleep(30)' })
    const env = {
      ...{ DATABASE_URL: url, TUSK_SCHEMA: schema },
      ...{ TUSK_SQL_MAX_ROWS: '1', TUSK_TIMEOUT: '300' },
    }

    const { code } = await tusk(['work', '--sql', '--allow-remote', '--once'], env, never)

    expect(code).toBe(0)
    expect(await engine.task(remote.id)).toMatchObject({
      state: 'done',
      output: { cut: true, results: [{ row_count: 2, dropped: 1 }] },
    })
    expect(await engine.task(slow.id)).toMatchObject({ state: 'failed', reason: 'timeout' })
  })

  test.for([
    ['export const text = 7', 'has nothing to run for text'],
    ['export default []', 'exports no tasks'],
    ['const none = 1', 'exports no tasks'],
    ['import "nowhere-to-be-found"', 'cannot be loaded'],
  ] as const)(
    'says what is wrong with a module such as %j',
    async ([text, words], { moduleWith }) => {
      const path = await moduleWith(text)

      const { code, talk } = await tusk(['work', path], { DATABASE_URL: inject('pgUrl') }, never)

      expect({ code, talk }).toEqual({ code: 2, talk: expect.stringContaining(words) })
    },
  )

  test.for([
    [['work'], 2, 'this worker would have nothing to run'],
    [['work', './none.mjs'], 2, 'none.mjs does not exist'],
    [
      ['work', '--sql', '--schema', 'nowhere'],
      1,
      'Tusk is not installed in schema "nowhere"\nRun `npx tusk migrate up`',
    ],
    [['work', '--sql', '--concurrency', '0'], 2, 'It is a whole number from 1 to '],
    [['work', '--sqk'], 2, '(Did you mean --sql?)'],
    [['work', '--sql', '--database-url', 'postgres://127.0.0.1:1/x'], 1, 'cannot reach Postgres'],
  ] as const)('answers %j with a line and %i', async ([args, code, words]) => {
    const answer = await tusk(args, { DATABASE_URL: inject('pgUrl') }, never)

    expect(answer).toMatchObject({ code, talk: expect.stringContaining(words) })
  })
})
