import { describe, expect } from 'vitest'
import { member, range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const rowsOf = (engine: TestEngine, table = 'tasks') =>
  engine.value<number>(`select count(*)::int from ${table}`)

const alike = (n: number) => range(n).map((payload) => ({ queue: 'mail', payload }))

describe('tasks that are enqueued together', () => {
  test('share rows when they are alike, and are seen as single tasks', async ({ engine }) => {
    const enqueued = await engine.enqueueMany(alike(100))

    expect(await rowsOf(engine)).toBeLessThan(10)
    const shown = await engine.rows<{ id: string; payload: number }>(
      'select id, payload from task order by id',
    )
    expect(shown.map(({ id }) => id)).toEqual(enqueued.map(({ id }) => id))
    expect(shown.map(({ payload }) => payload)).toEqual(range(100))
    expect(await engine.value('select due from queue_stats')).toBe(100)
    expect(await engine.task(enqueued[57]?.id ?? '')).toMatchObject({ payload: 57, state: 'ready' })
    const { tasks } = await engine.pageTasks({}, { limit: 3, before: enqueued[50]?.id })
    expect(tasks.map(({ payload }) => payload)).toEqual([49, 48, 47])
  })

  test.for([
    ['with a key', { key: 'a' }],
    ['with a group', { groups: ['a'] }],
    ['with a deadline', { deadline: new Date(Date.now() + 60_000) }],
    ['of another priority', { priority: 1 }],
    ['of another handler', { handler: 'other' }],
    ['with a tag', { tags: ['a'] }],
    ['with a large payload', { payload: 'x'.repeat(2_000) }],
  ] as const)('have a row of their own %s', async ([, special], { engine }) => {
    await engine.enqueueMany([
      { queue: 'mail' },
      { queue: 'mail' },
      { queue: 'mail', ...special } as never,
    ])

    expect(await engine.rows('select size from tasks order by id')).toContainEqual({ size: 1 })
    expect(await engine.value('select sum(size)::int from tasks')).toBe(3)
  })

  test('share rows when tasks of several queues and priorities come in turns', async ({
    engine,
  }) => {
    const inTurns = range(120).map((payload) => ({
      queue: payload % 3 === 0 ? 'mail' : 'push',
      priority: payload % 2,
      payload,
    }))
    const enqueued = await engine.enqueueMany(inTurns)

    expect(await rowsOf(engine)).toBeLessThan(20)
    const shown = await engine.rows<{
      id: string
      queue: string
      priority: number
      payload: number
    }>('select id, queue, priority, payload from task')
    const byId = new Map(shown.map(({ id, ...task }) => [id, task]))
    expect(enqueued.map(({ id }) => byId.get(id))).toEqual(inTurns)
    for (const queue of ['mail', 'push']) {
      const claimed = await engine.claim(queue, { limit: 120 })
      const inOrder = inTurns.filter((task) => task.queue === queue)
      inOrder.sort((one, other) => other.priority - one.priority)
      expect(claimed.map(({ payload }) => payload)).toEqual(inOrder.map(({ payload }) => payload))
    }
  })

  test('keep their order within a queue, whatever their handlers are', async ({ engine }) => {
    const tasks = range(60).map((payload) => ({
      queue: payload % 2 === 0 ? 'mail' : 'push',
      handler: payload % 4 < 2 ? 'one' : 'other',
      payload,
    }))
    await engine.enqueueMany(tasks)

    const claimed = await engine.claim('mail', { limit: 60 })
    expect(claimed.map(({ payload }) => payload)).toEqual(range(30).map((n) => 2 * n))
  })

  test('have rows of their own where the queue says so', async ({ engine }) => {
    await engine.setQueue('mail', { packs: false })
    await engine.enqueueMany(alike(5))
    await engine.setQueue('mail', { packs: true, is_fair: true })
    await engine.enqueueMany(alike(5))

    expect(await rowsOf(engine)).toBe(10)
  })
})

test('pack_tasks() compares every property that a task can be given', async ({ engine }) => {
  const forgotten = await engine.rows(`
    select name
    from unnest(property_names()) as name, pg_proc
    where pronamespace = current_schema()::regnamespace and proname = 'pack_tasks'
      and strpos(prosrc, 'v_one.' || name || ',') = 0 and strpos(prosrc, 'v_one.' || name || ')') = 0`)

  // Payloads may differ, and a window needs a key.
  expect(forgotten).toEqual([{ name: 'payload' }, { name: 'window' }])
})

describe('a pack', () => {
  test('is claimed in the order of its tasks, and cut where a claim asks for fewer', async ({
    engine,
  }) => {
    await engine.enqueueMany(alike(40))

    const claims = [5, 1, 20, 100].map((limit) => () => engine.claim('mail', { limit }))
    const claimed: unknown[][] = []
    for (const claim of claims) claimed.push((await claim()).map(({ payload }) => payload))

    expect(claimed.map(({ length }) => length)).toEqual([5, 1, 20, 14])
    expect(claimed.flat()).toEqual(range(40))
  })

  test('is shared by claims of the same moment', async ({ engine, connect }) => {
    await engine.enqueueMany(alike(8))
    const [one, other] = [await member(engine, connect), await member(engine, connect)]
    await one.rows('begin')
    const first = await one.claim('mail', { limit: 2 })
    const second = other.claim('mail', { limit: 2 })
    await one.rows('commit')

    const payloads = [...first, ...(await second)].map(({ payload }) => payload)
    expect(payloads).toEqual([0, 1, 2, 3])
  })

  test('is not waited for when its holder stays', async ({ engine, connect }) => {
    await engine.enqueueMany(alike(4))
    const holder = await member(engine, connect)
    await holder.rows('begin')
    await holder.claim('mail', { limit: 2 })

    expect(await engine.claim('mail', { limit: 2 })).toEqual([])
    await holder.rows('commit')
  })

  test('never exceeds the limit of its queue', async ({ engine }) => {
    await engine.enqueueMany(alike(30))
    await engine.setQueue('mail', { max_running: 7 })

    expect(await engine.claim('mail', { limit: 100 })).toHaveLength(7)
    expect(await engine.claim('mail', { limit: 100 })).toEqual([])
  })

  test('is kept as one row when all of it is done, with an output for each task', async ({
    engine,
  }) => {
    const [first, , third] = await engine.enqueueMany(alike(5))
    const claimed = await engine.claim('mail', { limit: 5 })
    await engine.completeMany(
      claimed,
      claimed.map(({ payload }) => (payload === 2 ? null : { n: payload as number })),
    )

    expect(await rowsOf(engine, 'finished')).toBe(1)
    expect(await engine.rows('select from claims')).toEqual([])
    expect(await engine.rows('select state, output from task order by id')).toEqual(
      range(5).map((n) => ({ state: 'done', output: n === 2 ? null : { n } })),
    )
    expect(await engine.watch(third?.id ?? '', null)).toMatchObject({ state: 'done', output: null })
    await expect(engine.cancel(third?.id ?? '')).rejects.toMatchObject({ code: 'wrong_state' })
    await expect(engine.complete(claimed[2] as never)).rejects.toMatchObject({ code: 'lease_lost' })
    expect(await rowsOf(engine, 'finished')).toBe(1)
    expect(await engine.watch(first?.id ?? '', null)).toMatchObject({ output: { n: 0 } })
    await engine.rows('select roll_up()')
    expect(
      await engine.rows('select enqueued::int, done::int, depth::int from queue_total'),
    ).toEqual([{ enqueued: 5, done: 5, depth: 0 }])
  })

  test('is split when some of it ends, and the rest stays with its claim', async ({ engine }) => {
    await engine.enqueueMany(alike(5))
    const claimed = await engine.claim('mail', { limit: 5 })

    expect(await engine.completeMany([claimed[3], claimed[1]] as never)).toHaveLength(2)

    expect(await engine.rows('select payload, state from task order by id')).toEqual(
      range(5).map((n) => ({ payload: n, state: n === 1 || n === 3 ? 'done' : 'running' })),
    )
    expect(await engine.completeMany(claimed)).toHaveLength(3)
    expect(await engine.rows('select from tasks')).toEqual([])
  })

  test('is rescued task by task when its worker is lost', async ({ engine }) => {
    await engine.enqueueMany(alike(5))
    const claimed = await engine.claim('mail', { limit: 5 })
    await engine.pass('16 seconds')

    expect(await engine.rescue()).toHaveLength(5)
    expect(await engine.completeMany(claimed)).toEqual([])
    expect((await engine.claim('mail', { limit: 9 })).map(({ payload }) => payload)).toEqual(
      range(5),
    )
    expect(await engine.value('select count(*)::int from attempt')).toBe(5)
  })

  test('goes to the groups of its queue one task at a time when the queue becomes fair', async ({
    engine,
  }) => {
    await engine.enqueueMany(alike(6))
    await engine.setQueue('mail', { is_fair: true })
    await engine.enqueue({ queue: 'mail', payload: 'other', groups: ['a'] })

    const payloads = (await engine.claim('mail', { limit: 2 })).map(({ payload }) => payload)
    expect(payloads).toContain('other')
  })

  test('is swept with the lines that its tasks wrote', async ({ engine }) => {
    await engine.setQueue('mail', { keep_done: '1 second' })
    await engine.enqueueMany(alike(3))
    const claimed = await engine.claim('mail', { limit: 3 })
    await engine.rows(
      `select log($1, $2, '{info,info,info}', '{a,b,c}')`,
      claimed.map(({ id }) => id),
      claimed.map(({ claim }) => claim),
    )
    expect(await rowsOf(engine)).toBe(1)
    await engine.completeMany(claimed)
    await engine.pass('1 minute')

    expect(await engine.sweep()).toMatchObject({ tasks: '3' })
    expect(await engine.rows('select from logs')).toEqual([])
  })
})
