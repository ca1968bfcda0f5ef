import { describe, expect } from 'vitest'
import { breachesIn, census, faultsIn } from '../support/books.ts'
import { crowd, drain, range, watch } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** What is wrong at this moment: limits exceeded, or books that do not tally. */
const look = (engine: TestEngine) => async () => [
  ...(await breachesIn(engine)),
  ...(await faultsIn(engine)),
]

describe('a limit under eight workers', () => {
  test('is never exceeded by a queue, and is used up', async ({ engine, connect }) => {
    await engine.setQueue('mail', { max_running: 3 })
    await engine.enqueueMany(range(400).map(() => ({ queue: 'mail' })))
    const workers = await crowd(engine, connect, 8)

    const sizes = new Set<number>()
    const work = drain(workers, 'mail', {
      batch: () => 2,
      perform: async (worker, tasks) => {
        sizes.add(
          await worker.value<number>(
            'select coalesce(sum(size), 0)::int from tasks where claim is not null',
          ),
        )
        await worker.completeMany(tasks)
      },
    })

    expect(await watch(look(engine), work)).toEqual([])
    expect(Math.max(...sizes)).toBe(3)
    expect(await census(engine)).toEqual({ done: 400 })
  })

  test('is never exceeded by a group over two queues', async ({ engine, connect }) => {
    await engine.setGroup('g', { max_running: 2 })
    await engine.setGroup('h', { max_running: 1 })
    await engine.enqueueMany(
      range(400).map((index) => ({
        queue: index % 2 === 0 ? 'mail' : 'letters',
        groups: [index % 3 === 0 ? 'h' : 'g'],
      })),
    )
    const workers = await crowd(engine, connect, 8)

    const work = Promise.all([
      drain(workers.slice(0, 4), 'mail', { batch: () => 3 }),
      drain(workers.slice(4), 'letters', { batch: () => 3 }),
    ])

    expect(await watch(look(engine), work)).toEqual([])
    expect(await census(engine)).toEqual({ done: 400 })
  })

  test('is never exceeded by tasks enqueued one by one while others run', async ({
    engine,
    connect,
  }) => {
    await engine.setGroup('g', { max_running: 2 })
    await engine.enqueue({ queue: 'mail', groups: ['g'] })
    const workers = await crowd(engine, connect, 8)
    const [producer] = await crowd(engine, connect, 1)
    let left = 200

    const work = drain(workers, 'mail', {
      perform: async (worker, tasks) => {
        if (left > 0) await producer?.enqueue({ queue: 'mail', groups: ['g'] })
        left -= 1
        await worker.completeMany(tasks)
      },
    })

    expect(await watch(look(engine), work)).toEqual([])
    expect(await engine.rows('select from tasks')).toEqual([])
  })

  test('holds for a thousand groups at once', async ({ engine, connect }) => {
    await engine.setQueue('mail', { group_max_running: 1 })
    await engine.enqueueMany(
      range(4_000).map((index) => ({ queue: 'mail', groups: [`g${index % 1_000}`] })),
    )
    const workers = await crowd(engine, connect, 8)
    const two = `
      select format('%s runs %s', name, count(*)) as fault
      from tasks cross join lateral unnest(groups) as given (name)
      where claim is not null group by name having count(*) > 1`

    const work = drain(workers, 'mail', { batch: () => 100 })
    const seen = await watch(
      async () => (await engine.rows<{ fault: string }>(two)).map(({ fault }) => fault),
      work,
    )

    expect(seen).toEqual([])
    expect(await census(engine)).toEqual({ done: 4_000 })
    expect(await faultsIn(engine)).toEqual([])
  })
})

describe('tasks of several groups', () => {
  test('start only when all have room, and all get their turn', async ({ engine, connect }) => {
    const names = range(8).map((index) => `g${index}`)
    for (const [index, name] of names.entries()) {
      await engine.setGroup(name, { max_running: 1 + (index % 3) })
    }
    const some = () => names.filter(() => Math.random() < 0.35).slice(0, 4)
    await engine.enqueueMany(
      range(500).map(() => ({
        queue: 'mail',
        groups: some(),
        priority: Math.random() < 0.2 ? 1 : 0,
      })),
    )
    const workers = await crowd(engine, connect, 8)

    const work = drain(workers, 'mail', { batch: () => 4 })

    expect(await watch(look(engine), work)).toEqual([])
    expect(await census(engine)).toEqual({ done: 500 })
    expect(await engine.rows('select * from repair_limits()')).toEqual([])
  })
})

describe("a task's own limit", () => {
  test('lets it in while fewer of its group run than it allows', async ({ engine }) => {
    const own = (maxRunning: number) => ({
      queue: 'mail',
      groups: ['g'],
      maxRunning,
      priority: maxRunning,
    })
    for (const maxRunning of [1, 2, 3]) await engine.enqueue(own(maxRunning))

    const first = await engine.claim('mail', { limit: 3 })
    await engine.enqueue(own(4))
    const second = await engine.claim('mail', { limit: 3 })

    // The one that allows three and the one that allows two; two run already for the one that allows one.
    expect(first.map(({ priority }) => priority)).toEqual([3, 2])
    expect(second.map(({ priority }) => priority)).toEqual([4])
    await engine.completeMany([...first, ...second])
    expect(await engine.claim('mail', { limit: 3 })).toMatchObject([{ priority: 1 }])
  })

  test('is never exceeded at the moment a task starts', async ({ engine, connect }) => {
    const workers = await crowd(engine, connect, 8)
    await engine.enqueueMany(
      range(200).map((index) => ({ queue: 'mail', groups: ['g'], maxRunning: 1 + (index % 3) })),
    )

    const work = drain(workers, 'mail', { batch: () => 3 })
    const most = async () =>
      (
        await engine.rows<{ n: number }>(
          'select coalesce(sum(size), 0)::int as n from tasks where claim is not null',
        )
      )
        .filter(({ n }) => n > 3)
        .map(({ n }) => `${n} run`)

    expect(await watch(most, work)).toEqual([])
    expect(await census(engine)).toEqual({ done: 200 })
  })
})
