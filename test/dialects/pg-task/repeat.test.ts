import { describe, expect } from 'vitest'
import { type TaskTable, test } from './support.ts'

/** When a task that was planned then, and ended at the other time, is planned again. */
async function nextPlan(
  { db, dialectSchema, schema: _ }: TaskTable,
  engineSchema: string,
  [plan, repeat, ended]: readonly [string, string, string],
  zone = 'UTC',
): Promise<string> {
  const client = await db.connect()
  try {
    await client.query(`set search_path = ${engineSchema}, ${dialectSchema}`)
    const { rows } = await client.query<{ next: string }>(
      `select to_char(next_plan($1, $2, false, $4, $3) at time zone $4, 'YYYY-MM-DD HH24:MI:SS') as next`,
      [plan, repeat, ended, zone],
    )
    return rows[0]?.next ?? ''
  } finally {
    await client.query('reset search_path')
    client.release()
  }
}

describe('repeat', () => {
  test('makes the next task in the transaction that ends one, with all it was', async ({
    table,
    engine,
    connect,
  }) => {
    const id = await table.insert({
      ...{
        input: 'x',
        repeat: '5 min',
        max: 2,
        group: 'g',
        data: 'mine',
        timeout: '1 s',
        null: '-',
      },
    })
    const task = await engine.claimOne(table.queue)
    const client = await connect()

    await client.query('begin')
    await engine.on(client).complete(task)
    expect(await table.rows('select from task where parent = $1', id)).toEqual([])
    await client.query('commit')

    expect(await table.rows('select * from task where parent = $1', id)).toMatchObject([
      { state: 'PLAN', input: 'x', max: 2, group: 'g', data: 'mine', null: '-', output: null },
    ])
    expect(await engine.value('select count(*) from tasks where submitted_by is not null')).toBe(
      '1',
    )
  })

  test('goes on after an error, and after a worker was lost for good', async ({
    table,
    engine,
  }) => {
    const failed = await table.insert({ input: 'x', repeat: '1 min' })
    await engine.fail(await engine.claimOne(table.queue))
    const [next] = await table.rows('select * from task where parent = $1', failed)
    await engine.rows('update tasks set run_at = clock_timestamp(), max_attempts = 1')
    await engine.claimOne(table.queue)
    await engine.pass('20 seconds')
    await engine.rescue()

    expect(await table.row(next?.id ?? '')).toMatchObject({ state: 'FAIL' })
    expect(await table.rows('select from task where parent = $1', next?.id)).toHaveLength(1)
  })

  test('keeps to the grid of the plan', async ({ table, engine }) => {
    const plan = new Date(Date.now() - 1000)
    const id = await table.insert({ input: 'x', repeat: '1 hour', plan })

    await engine.complete(await engine.claimOne(table.queue))

    const [next] = await table.rows('select * from task where parent = $1', id)
    expect(next?.plan).toEqual(new Date(plan.getTime() + 3_600_000))
  })

  test('counts from the end with drift', async ({ table, engine }) => {
    const id = await table.insert({ input: 'x', repeat: '1 hour', drift: true, delete: false })

    await engine.complete(await engine.claimOne(table.queue))

    const [next] = await table.rows('select * from task where parent = $1', id)
    expect(next?.plan.getTime()).toBe(((await table.row(id))?.stop?.getTime() ?? 0) + 3_600_000)
  })

  test('ends when the planned task is stopped or deleted', async ({ table, engine }) => {
    const id = await table.insert({ input: 'x', repeat: '1 s' })
    const task = await engine.claimOne(table.queue)

    await table.rows('delete from task where id = $1', id)

    await expect(engine.complete(task)).rejects.toMatchObject({ code: 'task_not_found' })
    expect(await table.rows('select from task')).toEqual([])
  })

  test.for([
    ['2026-01-01 00:00:40.1Z', '2 s', '2026-01-01 00:00:41Z', '2026-01-01 00:00:42'],
    ['2026-01-01 00:00:40.1Z', '1 s', '2026-01-01 00:00:42.3Z', '2026-01-01 00:00:43'],
    ['2026-01-01 00:00:00Z', '1 s', '2026-01-01 00:00:01Z', '2026-01-01 00:00:02'],
    ['2026-01-01 00:00:00Z', '1 s', '2026-03-01 00:00:00Z', '2026-03-01 00:00:01'],
    ['2026-01-31 12:00:00Z', '1 mon', '2026-01-31 12:00:01Z', '2026-02-28 12:00:00'],
    ['2026-01-31 12:00:00Z', '1 mon', '2026-03-01 00:00:00Z', '2026-03-28 12:00:00'],
    ['2020-02-29 12:00:00Z', '1 year', '2024-03-01 00:00:00Z', '2025-02-28 12:00:00'],
  ] as const)('of %s every %s, ended at %s, comes at %s', async (given, { table, schema }) => {
    const [plan, repeat, ended, next] = given

    expect(await nextPlan(table, schema, [plan, repeat, ended])).toBe(next)
  })

  test('by days keeps the time of day of the role that inserted it', async ({ table, schema }) => {
    const across = ['2026-03-28 08:00:00Z', '1 day', '2026-03-28 09:00:00Z'] as const

    expect(await nextPlan(table, schema, across, 'Europe/Berlin')).toBe('2026-03-29 09:00:00')
  })

  test('costs the same however many points were missed', async ({ table, schema }) => {
    const overdue = ['2000-01-01 00:00:00Z', '1 ms', '2026-01-01 00:00:00Z'] as const

    expect(await nextPlan(table, schema, overdue)).toBe('2026-01-01 00:00:00')
  })
})

describe('parent', () => {
  test('is the task in which a task was inserted', async ({ table, serve }) => {
    await serve()
    const id = await table.insert({
      input: `insert into ${table.schema}.task (input, "group") values ('select 1', 'child'); select 7`,
    })

    await table.when(id, 'DONE')
    const [child] = await table.rows('select * from task where parent = $1', id)

    expect(child).toMatchObject({ group: 'child' })
  })
})
