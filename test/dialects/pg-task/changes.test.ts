import { describe, expect } from 'vitest'
import { until } from '../../support/until.ts'
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

describe('UPDATE', () => {
  test('changes a task that is planned', async ({ table, engine }) => {
    const id = await table.insert({ input: 'select 1' })

    await table.rows(
      `update task set input = 'select 2', max = 4, "group" = 'b', timeout = '5 sec', data = 'mine',
         plan = '2020-01-01', active = '100 years' where id = $1`,
      id,
    )

    expect(await table.row(id)).toMatchObject({ input: 'select 2', max: 4, data: 'mine' })
    expect(await engine.claimOne(table.queue)).toMatchObject({
      ...{ key: id, priority: 4 },
      payload: { sql: 'select 2', settings: { 'pg_task.group': 'b', statement_timeout: 5000 } },
      groups: [`${table.queue}:local:b`],
    })
  })

  test('to a later plan lets the next of the group go first', async ({ table, engine }) => {
    const first = await table.insert({ input: 'a' })
    const second = await table.insert({ input: 'b' })

    await table.rows(`update task set plan = plan + '1 hour'::interval where id = $1`, first)

    expect(await engine.claim(table.queue, { limit: 2 })).toMatchObject([{ key: second }])
  })

  test('of a running task leaves its run alone, and is copied to its repetition', async ({
    table,
    engine,
  }) => {
    const id = await table.insert({ input: 'select 1', repeat: '1 hour' })
    const task = await engine.claimOne(table.queue)

    await table.rows(`update task set input = 'select 2', max = 3, "group" = 'new'`)
    await engine.complete(task)

    expect(await table.rows(`select input, max, "group" from task where parent = $1`, id)).toEqual([
      { input: 'select 2', max: 3, group: 'new' },
    ])
    expect(await engine.value(`select sum(running) from groups`)).toBe('0')
  })

  test('to PLAN runs a task again that has ended', async ({ table, engine }) => {
    const id = await table.insert({ input: 'x' })
    await engine.fail(await engine.claimOne(table.queue))

    await table.rows(
      `update task set state = 'PLAN', start = null, stop = null, error = null, output = null, pid = null`,
    )

    expect(await engine.claimOne(table.queue)).toMatchObject({ key: id })
  })

  test.for([
    [`state = 'WORK'`, 'is not running and cannot be set to WORK', 'TK003'],
    [`active = '0'`, 'active must be longer than 0', 'TK004'],
    [`count = -1`, 'count must not be negative', 'TK004'],
  ] as const)('refuses to set %s', async ([change, message, code], { table }) => {
    const id = await table.insert({ input: 'x' })
    const before = await table.row(id)

    await expect(table.rows(`update task set ${change}`)).rejects.toMatchObject({
      ...{ code, hint: expect.any(String) },
      message: expect.stringContaining(message),
    })

    expect(await table.row(id)).toEqual(before)
  })

  test('of what has ended changes the row and nothing else', async ({ table, engine }) => {
    const id = await table.insert({ input: 'x' })
    await engine.complete(await engine.claimOne(table.queue), result([['x']]))

    await table.rows(`update task set input = 'y', output = 'mine'`)
    await table.rows(`update task set state = 'STOP'`)

    expect(await table.row(id)).toMatchObject({ input: 'y', output: 'mine', state: 'STOP' })
    expect(await engine.claim(table.queue)).toEqual([])
  })

  test('refuses to plan a task again that runs', async ({ table, engine }) => {
    const id = await table.insert({ input: 'x' })
    const task = await engine.claimOne(table.queue)
    await engine.rows('select report_sql($1, $2, $3, $4)', [task.id], [task.claim], [1], [null])

    await expect(table.rows(`update task set state = 'PLAN'`)).rejects.toMatchObject({
      ...{ code: 'TK003', hint: expect.any(String) },
      message: `task ${id} is running and cannot be set to PLAN`,
    })
  })

  test('to a state of its end takes a planned task out', async ({ table, engine }) => {
    const id = await table.insert({ input: 'x' })

    await table.rows(`update task set state = 'DONE'`)

    expect(await table.row(id)).toMatchObject({ state: 'DONE' })
    expect(await engine.claim(table.queue)).toEqual([])
  })

  test('of the id makes another task', async ({ table, engine }) => {
    await table.insert({ input: 'x' })

    await table.rows('update task set id = 990099')

    expect(await engine.claim(table.queue, { limit: 2 })).toMatchObject([{ key: '990099' }])
  })

  test('of many rows while workers take them ends without a deadlock', async ({
    table,
    engine,
    connect,
  }) => {
    await table.rows(
      `insert into task (input, max, "group") select 'x', n % 3, (n % 5)::text from generate_series(1, 200) as n`,
    )
    const workers = await Promise.all([0, 1, 2].map(async () => engine.on(await connect())))
    let isOver: boolean = false
    const working = workers.map(async (worker) => {
      while (!isOver) {
        const tasks = await worker.claim(table.queue, { limit: 7 })
        await worker.completeMany(tasks)
      }
    })

    for (const _ of [1, 2, 3, 4]) {
      await table.rows(`update task set state = 'STOP' where state = 'PLAN'`)
      await table.rows(`update task set state = 'PLAN' where state = 'STOP'`)
    }
    await table.rows(`delete from task where state = 'PLAN'`)
    await until(() => engine.value('select not exists (select from tasks)'))
    isOver = true
    await Promise.all(working)

    expect(await engine.value('select sum(running) from groups')).toBe('0')
  })
})

describe('DELETE', () => {
  test('takes a task out, waiting, running or ended', async ({ table, engine }) => {
    const running = await table.insert({ input: 'a' })
    const task = await engine.claimOne(table.queue)
    await table.insert({ input: 'b' })
    await table.insert({ input: 'c', group: 'other' })
    await engine.complete(await engine.claimOne(table.queue), result([['x']]))

    const gone = await table.rows('delete from task returning id')

    expect(gone.map(({ id }) => id)).toContain(running)
    expect(gone).toHaveLength(3)
    expect(await table.rows('select from task')).toEqual([])
    await expect(engine.complete(task)).rejects.toMatchObject({ code: 'task_not_found' })
  })
})
