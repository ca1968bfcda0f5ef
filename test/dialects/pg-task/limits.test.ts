import { describe, expect } from 'vitest'
import type { ClaimedTask } from '../../../src/engine/task.ts'
import { crowd } from '../../support/crowd.ts'
import type { TestEngine } from '../../support/test-engine.ts'
import { until } from '../../support/until.ts'
import { type TaskTable, test } from './support.ts'

/** Inserts one task per max, and gives their ids in that order. */
async function insertAll(table: TaskTable, maxes: readonly number[], group = 'group') {
  const rows = await table.rows<{ id: string }>(
    `insert into task (max, "group", input) select given.max, $2, 'select 1'
     from unnest($1::integer[]) with ordinality as given (max, place) order by place returning id`,
    maxes,
    group,
  )
  return rows.map(({ id }) => id)
}

const ids = (tasks: readonly ClaimedTask[]) => tasks.map(({ key }) => Number(key))

/** Claims all that may start, and ends what ran before: waves of tasks of equal length. */
async function waves(table: TaskTable, engine: TestEngine): Promise<number[][]> {
  const seen: number[][] = []
  for (;;) {
    const tasks = await engine.claim(table.queue, { limit: 100 })
    if (tasks.length === 0) return seen
    seen.push(ids(tasks))
    await engine.completeMany(tasks)
  }
}

describe('max', () => {
  test('0 means one at a time, n means n + 1', async ({ table, engine }) => {
    await insertAll(table, [0, 0, 0], 'one')
    await insertAll(table, [2, 2, 2, 2, 2], 'three')

    const tasks = await engine.claim(table.queue, { limit: 100 })

    const groups = tasks.map(({ groups }) => groups?.[0]?.split(':').at(-1))
    expect(groups.sort()).toEqual(['one', 'three', 'three', 'three'])
  })

  test('lets higher maxes go first, each while no more run than it says', async ({
    table,
    engine,
  }) => {
    await insertAll(table, [0, 1, 1, 2, 1, 0, 3])

    expect(await waves(table, engine)).toEqual([[7, 4], [2, 3], [5], [1], [6]])
  })

  test('lets a higher max start beside those that fill the group', async ({ table, engine }) => {
    await insertAll(table, [1, 1, 1, 1])
    expect(ids(await engine.claim(table.queue, { limit: 9 }))).toEqual([1, 2])
    expect(await engine.claim(table.queue)).toEqual([])

    await insertAll(table, [2])

    expect(ids(await engine.claim(table.queue, { limit: 9 }))).toEqual([5])
  })

  test('of the same height go by id', async ({ table, engine }) => {
    await insertAll(table, [1, 1, 1, 1, 1])

    expect(await waves(table, engine)).toEqual([[1, 2], [3, 4], [5]])
  })

  test('counts per group and remote, and never takes two of them for one', async ({
    table,
    engine,
  }) => {
    await table.insert({ input: 'x', group: 'a', remote: 'bc' })
    await table.insert({ input: 'x', group: 'ab', remote: 'c' })
    await table.insert({ input: 'x', group: 'abc' })
    await table.insert({ input: 'x', group: 'abc' })
    await table.insert({ input: 'x', group: 'a b' })
    await table.insert({ input: 'x', group: 'a\nb' })

    expect(ids(await engine.claim(table.queue, { limit: 9 }))).toEqual([1, 2, 3, 5, 6])
  })

  test('of a full group holds up no other group', async ({ table, engine }) => {
    await insertAll(
      table,
      Array.from({ length: 300 }, () => 0),
      'crowded',
    )
    await insertAll(table, [0], 'other')

    expect(ids(await engine.claim(table.queue, { limit: 9 }))).toEqual([1, 301])
  })

  test('is never exceeded by eight workers that race', async ({ table, engine, connect }) => {
    const maxes = [0, 1, 1, 2, 1, 0, 3]
    for (const group of ['a', 'b', 'c'])
      await insertAll(
        table,
        Array.from({ length: 70 }, (_, n) => maxes[n % 7] ?? 0),
        group,
      )
    await engine.rows(`create table starts (id bigint, "group" text, max integer, beside bigint)`)
    const workers = await crowd(engine, connect, 8)

    // Judged where it counts: in the database, in the transaction that starts a task.
    await Promise.all(
      workers.map(async (worker) => {
        for (;;) {
          await worker.rows('begin')
          const started = (await worker.claim(table.queue, { limit: 3 })).map(({ id }) => id)
          await worker.rows(
            `insert into starts select tasks.id, groups.name, tasks.max_running - 1, groups.running
             from tasks join groups on groups.name = tasks.groups[1] where tasks.id = any ($1)`,
            started,
          )
          await worker.rows('commit')
          const held = await worker.rows<{ id: string; claim: string }>(
            `select id, claim from tasks where claim is not null order by random() limit 3`,
          )
          await worker.completeMany(held)
          if (await worker.value('select not exists (select from tasks)')) return
        }
      }),
    )

    expect(await engine.value('select count(*) from starts')).toBe('210')
    expect(await engine.rows('select * from starts where beside > max + 1')).toEqual([])
    expect(await engine.value('select sum(running) from groups')).toBe('0')
    await engine.rows('drop table starts')
  })
})

describe('a negative max', () => {
  test('lets the first run at once, and one at a time', async ({ table, engine }) => {
    await insertAll(table, [-2000, -2000, -2000])

    expect(ids(await engine.claim(table.queue, { limit: 9 }))).toEqual([1])
    expect(await engine.claim(table.queue)).toEqual([])
  })

  test('puts the others off from the end by its milliseconds, with drift', async ({
    table,
    engine,
  }) => {
    await table.rows(
      `insert into task (max, drift, input) select -2000, true, 'x' from generate_series(1, 3)`,
    )
    const [first] = await engine.claim(table.queue)
    if (first === undefined) throw new Error('nothing to claim')

    await engine.complete(first, { results: [{ tag: 'DO', columns: null, rows: [] }] })

    const [ended] = await table.rows('select * from task where id = 1')
    const due = new Date((ended?.stop?.getTime() ?? 0) + 2000)
    expect(await table.rows('select plan from task where id > 1')).toEqual([
      { plan: due },
      { plan: due },
    ])
    expect(await engine.claim(table.queue, { limit: 9 })).toEqual([])
    await engine.pass('2 seconds')
    expect(ids(await engine.claim(table.queue, { limit: 9 }))).toEqual([2])
  })

  test('keeps to the grid of each plan without drift, missed points skipped', async ({
    table,
    engine,
  }) => {
    const plan = new Date(Date.now() - 10_250)
    await table.rows(
      `insert into task (max, plan, input) select -500, $1, 'x' from generate_series(1, 2)`,
      plan,
    )
    const [first] = await engine.claim(table.queue)
    if (first === undefined) throw new Error('nothing to claim')

    await engine.complete(first)

    const [waiting] = await table.rows('select * from task where id = 2')
    const [{ stop } = { stop: new Date(0) }] = await engine.rows<{ stop: Date }>(
      'select finished_at as stop from finished',
    )
    const steps = ((waiting?.plan.getTime() ?? 0) - plan.getTime()) / 500
    expect(steps).toBe(Math.floor((stop.getTime() - plan.getTime()) / 500) + 1)
  })

  test('also holds for tasks inserted during the pause, and for no others', async ({
    table,
    engine,
  }) => {
    await insertAll(table, [-60_000])
    const [first] = await engine.claim(table.queue)
    if (first === undefined) throw new Error('nothing to claim')
    await engine.complete(first)

    await insertAll(table, [-60_000, 0])

    expect(ids(await engine.claim(table.queue, { limit: 9 }))).toEqual([3])
    await engine.pass('1 minute')
    await engine.rows('update groups set running = 0')
    expect(ids(await engine.claim(table.queue, { limit: 9 }))).toEqual([2])
  })

  test('is followed by a repetition, whatever others put into its group', async ({
    table,
    engine,
  }) => {
    const id = await table.insert({ input: 'x', max: -1000, repeat: '1 hour' })
    await engine.rows(
      `select enqueue(queue, payload - 'role', p_kind => kind, p_groups => groups, p_meta => '{"pg_task": {"max": "-x"}}')
       from tasks where id = $1`,
      id,
    )
    const [first] = await engine.claim(table.queue)
    if (first === undefined) throw new Error('nothing to claim')

    await engine.complete(first)

    expect(first.key).toBe(id)
    expect(await table.rows('select from task where parent = $1', id)).toHaveLength(1)
  })

  test('leaves a task alone that is planned for later', async ({ table, engine }) => {
    const plan = new Date(Date.now() + 3_600_000)
    await insertAll(table, [-1000])
    const later = await table.insert({ input: 'x', max: -1000, plan })
    const [first] = await engine.claim(table.queue)
    if (first === undefined) throw new Error('nothing to claim')

    await engine.complete(first)

    expect(await table.row(later)).toMatchObject({ plan })
  })

  test('holds between workers that race', async ({ table, serve }) => {
    for (const _ of [1, 2, 3]) await serve({ concurrency: 3 })
    await table.rows(
      `insert into task (max, drift, delete, input) select -200, true, false, 'select 1' from generate_series(1, 5)`,
    )
    await until(
      async () => (await table.rows(`select from task where state <> 'DONE'`)).length === 0,
    )

    const rows = await table.rows(
      `select id, lag(stop) over (order by start) + '200 ms'::interval > plan as is_early, start < plan as is_odd
       from task order by start`,
    )

    expect(rows).toHaveLength(5)
    expect(rows.filter(({ is_early, is_odd }) => is_early || is_odd)).toEqual([])
  })
})
