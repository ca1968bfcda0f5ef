import { describe, expect, inject } from 'vitest'
import { Tusk } from '../../../src/client/tusk.ts'
import { test as base } from '../../support/sql-tasks.ts'

const test = base.extend<{ tusk: Tusk }>({
  tusk: async ({ db, schema }, use) => {
    await db.query('select')
    const tusk = await Tusk.open({ database: inject('pgUrl'), schema })
    await use(tusk)
    await tusk.close()
  },
})

describe('the client', () => {
  test('enqueues SQL and gives everything it answered', async ({ tusk, workSql }) => {
    await workSql()

    const task = await tusk.sql(`select current_setting('my.name'), generate_series(1, 3)`, {
      settings: { 'my.name': 'x' },
      maxRows: 2,
      session: { count: 1 },
      timeout: '1 minute',
    })

    expect(await task.wait()).toMatchObject({
      delivery: 'exactly_once',
      results: [
        {
          tag: 'SELECT 3',
          rows: [
            ['x', '1'],
            ['x', '2'],
          ],
          dropped: 1,
        },
      ],
    })
  })

  test('rejects with the error of SQL that failed', async ({ tusk, workSql }) => {
    await workSql()

    const task = await tusk.sql('select 1/0', { maxAttempts: 1 })

    await expect(task.wait()).rejects.toMatchObject({
      code: 'task_failed',
      cause: { code: '22012', message: 'division by zero' },
    })
  })

  test('enqueues registered statements', async ({ tusk, engine, workSql }) => {
    await engine.rows(
      `select set_statement('double', '{"sql": "select $1::int * 2", "params": ["n"]}')`,
    )
    await workSql()

    const [byName, byPlace] = await Promise.all([
      tusk.statement('double', { n: 21 }),
      tusk.statement('double', [4]),
    ])

    expect((await byName.wait()).results[0]?.rows).toEqual([['42']])
    expect((await byPlace.wait()).results[0]?.rows).toEqual([['8']])
  })

  test('leaves alone those who share a statement with what is refused', async ({
    tusk,
    engine,
  }) => {
    const [good, bad] = await Promise.allSettled([
      tusk.enqueueTask({ queue: 'mail' }),
      tusk.statement('not registered'),
    ])

    expect([good.status, bad.status]).toEqual(['fulfilled', 'rejected'])
    expect(await engine.value('select coalesce(sum(size), 0)::int from tasks')).toBe(1)
  })
})

describe('sql()', () => {
  test('enqueues SQL from SQL', async ({ engine, workSql, endOf }) => {
    await workSql()

    const id = await engine.value<string>(
      `select sql('select 1 as n', p_timeout => '1 minute', p_options => '{"max_rows": 5}')`,
    )

    expect((await endOf(id)).output.results[0]?.rows).toEqual([['1']])
  })
})
