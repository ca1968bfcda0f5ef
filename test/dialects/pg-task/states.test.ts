import { describe, expect } from 'vitest'
import { test } from './support.ts'

const result = (rows: string[][]) => ({
  results: [
    {
      tag: `SELECT ${rows.length}`,
      columns: [{ name: 'a', type: 'text', type_oid: 25, typmod: -1 }],
      rows,
      row_count: rows.length,
      dropped: 0,
    },
  ],
  notices: [],
  pid: 4711,
})

describe('the states of a task', () => {
  test('are PLAN, WORK and DONE on its way', async ({ table, engine }) => {
    const id = await table.insert({ input: 'select 1' })
    expect(await table.row(id)).toMatchObject({ state: 'PLAN', start: null, stop: null, pid: null })

    const task = await engine.claimOne(table.queue)

    await engine.rows(
      'select report_sql($1, $2, $3, $4)',
      ...[[task.id], [task.claim], [4711], [null] as (string | null)[]],
    )
    expect(await table.row(id)).toMatchObject({ state: 'WORK', start: expect.any(Date), pid: 4711 })

    await engine.complete(task, result([['x']]))
    expect(await table.row(id)).toMatchObject({
      ...{ state: 'DONE', start: expect.any(Date), stop: expect.any(Date) },
      ...{ pid: 4711, output: 'x', error: null },
    })
  })

  test('end at FAIL after an error, at the first attempt', async ({ table, engine }) => {
    const id = await table.insert({ input: 'select 1/0' })
    const error = { code: '22012', severity: 'ERROR', message: 'division by zero', statement: 0 }

    await engine.fail(await engine.claimOne(table.queue), error)

    expect(await table.row(id)).toMatchObject({
      ...{ state: 'FAIL', output: '', stop: expect.any(Date) },
      error: 'ERROR:  division by zero\nSTATEMENT:  select 1/0',
    })
  })

  test('go back to PLAN when the worker is lost, and end when that happened too often', async ({
    table,
    engine,
  }) => {
    const id = await table.insert({ input: 'select 1' })
    const lose = async () => {
      await engine.claimOne(table.queue)
      await engine.pass('20 seconds', await table.taskOf(id))
      await engine.rescue()
    }

    await lose()
    expect(await table.row(id)).toMatchObject({ state: 'PLAN', start: null, pid: null })
    for (const _ of [2, 3, 4, 5]) await lose()

    expect(await table.row(id)).toMatchObject({
      state: 'FAIL',
      error: expect.stringContaining('stopped renewing its lease'),
    })
  })

  test('become GONE when a task was not begun while it was active', async ({ table, engine }) => {
    const id = await table.insert({ input: 'select 1', active: '1 minute' })

    await engine.pass('61 seconds', await table.taskOf(id))
    expect(await engine.claim(table.queue)).toEqual([])
    await engine.expire()

    const row = await table.row(id)
    expect(row).toMatchObject({ state: 'GONE', error: 'ERROR:  task not active', output: null })
    expect(row?.start).toEqual(row?.stop)
  })

  test('never become GONE for a task that repeats or pauses; it runs late', async ({
    table,
    engine,
  }) => {
    const plan = new Date(Date.now() - 7_200_000)
    await table.insert({ input: 'select 1', plan, repeat: '1 day' })
    await table.insert({ input: 'select 1', plan, max: -1, group: 'other' })

    await engine.expire()

    expect(await engine.claim(table.queue, { limit: 5 })).toHaveLength(2)
  })

  test('become GONE at once for a task planned too long ago', async ({ table, engine }) => {
    const id = await table.insert({ input: 'x', plan: new Date(Date.now() - 7_200_000) })

    await engine.expire()

    expect(await table.row(id)).toMatchObject({ state: 'GONE' })
  })
})

describe('delete', () => {
  test('takes a task away that had nothing to say', async ({ table, engine }) => {
    const id = await table.insert({ input: 'select 1 where false' })
    const task = await table.taskOf(id)

    await engine.complete(await engine.claimOne(table.queue), result([]))

    expect(await table.row(id)).toBeUndefined()
    await engine.sweep()
    expect(await engine.task(task)).toBeNull()
  })

  test('leaves a task that printed something, even an empty line', async ({ table, engine }) => {
    const id = await table.insert({ input: `select ''` })

    await engine.complete(await engine.claimOne(table.queue), result([['']]))

    expect(await table.row(id)).toMatchObject({ state: 'DONE', output: '' })
  })

  test('leaves a task that printed more than can be kept', async ({ table, engine }) => {
    const id = await table.insert({ input: `select repeat('x', 2000000)` })
    const { results } = result([])

    await engine.complete(await engine.claimOne(table.queue), {
      results: results.map((each) => ({ ...each, row_count: 1, dropped: 1 })),
    })

    expect(await table.row(id)).toMatchObject({ state: 'DONE', output: '' })
  })

  test('when false keeps every task', async ({ table, engine }) => {
    const id = await table.insert({ input: '', delete: false })

    await engine.complete(await engine.claimOne(table.queue), result([]))

    expect(await table.row(id)).toMatchObject({ state: 'DONE', output: null })
  })
})

describe('STOP', () => {
  test('keeps a task from running until it is set to PLAN again', async ({ table, engine }) => {
    const id = await table.insert({ input: 'select 1' })

    await table.rows(`update task set state = 'STOP' where id = $1`, id)
    expect(await table.row(id)).toMatchObject({ state: 'STOP', start: null, stop: null })
    expect(await engine.claim(table.queue)).toEqual([])

    await table.rows(`update task set state = 'PLAN' where id = $1`, id)
    expect(await engine.claimOne(table.queue)).toMatchObject({
      key: id,
      payload: { sql: 'select 1' },
    })
  })

  test('keeps its plan and how long it is active', async ({ table, engine }) => {
    const plan = new Date(Date.now() - 3_000_000)
    const id = await table.insert({ input: 'x', plan })

    await table.rows(`update task set state = 'STOP'`)
    await table.rows(`update task set state = 'PLAN'`)

    expect(await table.row(id)).toMatchObject({ state: 'PLAN', plan })
    await engine.pass('11 minutes', await table.taskOf(id))
    await engine.expire()
    expect(await table.row(id)).toMatchObject({ state: 'GONE' })
  })

  test('may be inserted', async ({ table, engine }) => {
    const id = await table.insert({ input: 'select 1', state: 'STOP' })

    expect(await table.row(id)).toMatchObject({ state: 'STOP' })
    expect(await engine.claim(table.queue)).toEqual([])
  })

  test('cancels a task that runs, and breaks its chain', async ({ table, engine }) => {
    const id = await table.insert({ input: 'x', repeat: '1 min' })
    const task = await engine.claimOne(table.queue)

    await table.rows(`update task set state = 'STOP' where id = $1`, id)

    await expect(engine.complete(task)).rejects.toMatchObject({ code: 'lease_lost' })
    expect(await table.rows('select state from task')).toEqual([{ state: 'STOP' }])
  })
})
