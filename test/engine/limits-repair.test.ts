import { describe, expect } from 'vitest'
import { breachesIn, census, faultsIn } from '../support/books.ts'
import { all, crowd, drain, range, watch } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import { until } from '../support/until.ts'

describe('repair_limits', () => {
  test('finds nothing while the books are right', async ({ engine }) => {
    await engine.setQueue('mail', { max_running: 3 })
    await engine.setGroup('g', { max_running: 2 })
    await engine.enqueueMany(range(5).map(() => ({ queue: 'mail', groups: ['g', 'h'] })))
    await engine.claim('mail', { limit: 5 })

    expect(await engine.rows('select * from repair_limits()')).toEqual([])
  })

  test('finds nothing in a full group whose limit its queue or its tasks give', async ({
    engine,
  }) => {
    await engine.setQueue('mail', { group_max_running: 1 })
    await engine.enqueueMany(range(3).map(() => ({ queue: 'mail', groups: ['g'] })))
    await engine.enqueueMany(range(3).map(() => ({ queue: 'own', groups: ['h'], maxRunning: 2 })))
    await engine.claim('mail', { limit: 5 })
    await engine.claim('own', { limit: 5 })

    expect(await engine.rows('select * from repair_limits()')).toEqual([])
  })

  test('puts a counter right that is too high, and says so', async ({ engine }) => {
    await engine.setGroup('g', { max_running: 1 })
    await engine.enqueue({ queue: 'mail', groups: ['g'] })
    await engine.rows(`update groups set running = 7 where name = 'g'`)
    expect(await engine.claim('mail')).toEqual([])

    const repaired = await engine.rows('select * from repair_limits()')

    expect(repaired[0]).toMatchObject({ group_name: 'g', counted: 7, actual: 0 })
    expect(await engine.claim('mail')).toHaveLength(1)
  })

  test('puts counters right that are too low, of groups and of queues', async ({ engine }) => {
    await engine.setQueue('mail', { max_running: 2 })
    await engine.setGroup('g', { max_running: 2 })
    await engine.enqueueMany(range(4).map(() => ({ queue: 'mail', groups: ['g'] })))
    await engine.claim('mail', { limit: 2 })
    await engine.rows('update groups set running = 0')

    const repaired = await engine.rows('select * from repair_limits()')

    expect(repaired).toMatchObject([
      { group_name: '@mail', counted: 0, actual: 2 },
      { group_name: 'g', counted: 0, actual: 2 },
    ])
    expect(await engine.claim('mail', { limit: 2 })).toEqual([])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('lets a parked task go that no other task will hand a slot to', async ({ engine }) => {
    await engine.setGroup('g', { max_running: 1 })
    const { id } = await engine.enqueue({ queue: 'mail', groups: ['g'] })
    await engine.rows(`update tasks set parked_on = 'g'`)
    expect(await engine.claim('mail')).toEqual([])

    const repaired = await engine.rows('select * from repair_limits()')

    expect(repaired).toMatchObject([{ group_name: 'g', freed: 1 }])
    expect(await engine.claim('mail')).toMatchObject([{ id }])
  })

  test('repairs nothing that is merely changing under it', async ({ engine, connect }) => {
    await engine.setQueue('mail', { max_running: 6 })
    await engine.setGroup('g', { max_running: 4 })
    await engine.enqueueMany(range(400).map(() => ({ queue: 'mail', groups: ['g'] })))
    const workers = await crowd(engine, connect, 6)

    const look = async () =>
      (
        await engine.rows<{ group_name: string; counted: number; actual: number }>(
          'select * from repair_limits() where counted <> actual',
        )
      ).map(({ group_name, counted, actual }) => `${group_name}: ${counted} for ${actual}`)

    expect(await watch(look, drain(workers, 'mail', { batch: () => 3 }))).toEqual([])
    expect(await census(engine)).toEqual({ done: 400 })
  })
})

describe('holders that die', () => {
  test('give their slots back when they are rescued, exactly', async ({ engine, connect }) => {
    await engine.setQueue('mail', { max_running: 6 })
    await engine.setGroup('g', { max_running: 2 })
    await engine.enqueueMany(
      range(120).map((index) => ({ queue: 'mail', groups: index % 2 === 0 ? ['g'] : ['g', 'h'] })),
    )
    const workers = await crowd(engine, connect, 6)
    const look = async () => [...(await breachesIn(engine)), ...(await faultsIn(engine))]

    // A third of what is claimed is never reported, until a worker rescues it.
    const work = drain(workers, 'mail', {
      batch: () => 2,
      perform: async (worker, tasks) => {
        const dies = Math.random() < 0.33
        const tokens = tasks.map(({ claim }) => claim)
        if (!dies) await worker.completeMany(tasks)
        else {
          await worker.rows('update claims set expires_at = claimed_at where id = any ($1)', tokens)
          // A rescue passes by what another transaction holds at that moment, so it is repeated, as by workers.
          await until(async () => {
            await all([worker, engine], (rescuer) => rescuer.rescue())
            return worker.value(
              'select not exists (select from claims where id = any ($1))',
              tokens,
            )
          })
        }
      },
    })

    expect(await watch(look, work)).toEqual([])
    const { done = 0, failed = 0 } = await census(engine)
    expect(done + failed).toBe(120)
    expect(await engine.rows('select from claims')).toEqual([])
    expect(await engine.rows('select * from repair_limits()')).toEqual([])
  })
})
