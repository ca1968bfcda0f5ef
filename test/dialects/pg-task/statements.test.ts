import { describe, expect } from 'vitest'
import { test } from './support.ts'

describe('a running task', () => {
  test('sees itself, with its process and start', async ({ run, table }) => {
    const row = await run({
      header: false,
      input: `select state, pid = pg_backend_pid(), start <= clock_timestamp() from ${table.schema}.task
              where id = current_setting('pg_task.id')::bigint`,
    })

    expect(row.output).toBe('WORK\tt\tt')
  })

  test('may write to its own row', async ({ run, table }) => {
    const own = "where id = current_setting('pg_task.id')::bigint"
    const row = await run({ input: `update ${table.schema}.task set data = 'mine' ${own}` })

    expect(row).toMatchObject({ state: 'DONE', output: 'UPDATE 1', data: 'mine' })
  })
})

describe('timeout', () => {
  test('is for each statement, or for the whole task where the table says so', async ({
    run,
    table,
    engine,
  }) => {
    const input = 'select pg_sleep(0.3); select pg_sleep(0.3); select pg_sleep(0.3)'
    const set = (what: string) =>
      engine.rows(
        `select ${table.dialectSchema}.set_task_table($1, 'task', $2)`,
        ...[table.schema, { timeout: what }],
      )

    expect(await run({ timeout: '600 ms', input: 'select pg_sleep(30)' })).toMatchObject({
      state: 'FAIL',
    })
    await set('task')
    expect(await run({ timeout: '600 ms', input: `${input}; select pg_sleep(60)` })).toMatchObject({
      state: 'FAIL',
    })
    await set('statement')
    expect(await run({ timeout: '20 s', input })).toMatchObject({ state: 'DONE' })
    await expect(set('week')).rejects.toMatchObject({ code: 'invalid_argument' })
  })
})

describe('several statements', () => {
  test('are one transaction', async ({ run, table }) => {
    const row = await run({
      input: `create table ${table.schema}.half (); select 1/0`,
    })

    expect(row).toMatchObject({ state: 'FAIL' })
    expect(await table.rows(`select to_regclass('half') as found`)).toEqual([{ found: null }])
  })

  test('get the server’s own refusal of what may not run in one', async ({ run }) => {
    expect(await run({ input: 'select 1; vacuum pg_namespace' })).toMatchObject({
      ...{ state: 'FAIL', output: '1' },
      error: expect.stringMatching(/^ERROR: {2}VACUUM cannot run inside a transaction block/),
    })
  })
})

describe('an output', () => {
  test('is kept whole: many rows, and long values', async ({ run }) => {
    const many = await run({ input: 'select n from generate_series(1, 200000) as n' })
    const long = await run({ input: `select repeat('ab', 10000000)` })

    const lines = many.output?.split('\n') ?? []
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([200_000, '1', '200000'])
    expect(long.output === 'ab'.repeat(10_000_000)).toBe(true)
  })

  test('that is too large is an error, and what ran is undone', async ({ run, table }) => {
    const row = await run({
      input: `create table ${table.schema}.half (); select repeat('x', 50000000) from generate_series(1, 5)`,
    })

    expect(row).toMatchObject({
      state: 'FAIL',
      error: expect.stringMatching(/^ERROR: {2}the output is larger than 200000000 bytes/),
    })
    expect(await table.rows(`select to_regclass('half') as found`)).toEqual([{ found: null }])
  })
})
