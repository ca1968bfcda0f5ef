import { describe, expect } from 'vitest'
import type { ClaimedTask, NewTask } from '../../src/engine/task.ts'
import { breachesIn, census, faultsIn } from '../support/books.ts'
import { all, crowd, drain, member, range, watch } from '../support/crowd.ts'
import { test } from '../support/engine.ts'

const of = (group: string | null, n: number): NewTask[] =>
  range(n).map(() => ({ queue: 'mail', ...(group !== null && { groups: [group] }) }))

/** How many of each group are among these; '' for none. */
function shares(tasks: readonly ClaimedTask[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { groups } of tasks) counts[groups?.[0] ?? ''] = (counts[groups?.[0] ?? ''] ?? 0) + 1
  return counts
}

describe('a fair queue', () => {
  test('serves small groups among the first, whatever stands before them', async ({ engine }) => {
    await engine.setQueue('mail', { is_fair: true })
    await engine.enqueueMany(of('flood', 5_000))
    await engine.enqueueMany([...of('a', 2), ...of('b', 2), ...of(null, 2)])

    const one = await engine.claim('mail', { limit: 4 })
    const two = await engine.claim('mail', { limit: 4 })

    expect(shares(one)).toEqual({ '': 1, a: 1, b: 1, flood: 1 })
    expect(shares(two)).toEqual({ '': 1, a: 1, b: 1, flood: 1 })
  })

  test('takes the greatest weight there is', async ({ engine }) => {
    await engine.setQueue('mail', { is_fair: true })
    await engine.rows('select set_group($1, $2)', 'heavy', { weight: 2_147_483_647 })
    await engine.enqueueMany([...of('heavy', 5), ...of('light', 5)])

    expect(shares(await engine.claim('mail', { limit: 4 }))).toEqual({ heavy: 3, light: 1 })
  })

  test('goes round its groups when tasks are claimed one at a time', async ({
    engine,
    connect,
  }) => {
    await engine.setQueue('mail', { is_fair: true })
    await engine.enqueueMany([...of('flood', 500), ...of('a', 3), ...of('b', 3)])
    const worker = await member(engine, connect)

    const handed = []
    for (const _ of range(9)) handed.push(await worker.claimOne('mail'))

    expect(shares(handed)).toEqual({ a: 3, b: 3, flood: 3 })
  })

  test('gives a group that weighs more a larger share of a batch', async ({ engine }) => {
    await engine.setQueue('mail', { is_fair: true })
    await engine.setGroup('big', { weight: 3 })
    await engine.enqueueMany([...of('big', 100), ...of('small', 100)])

    const handed = await engine.claim('mail', { limit: 40 })

    expect(shares(handed)).toEqual({ big: 30, small: 10 })
  })

  test('gives a batch to one group when no other waits', async ({ engine }) => {
    await engine.setQueue('mail', { is_fair: true })
    await engine.enqueueMany(of('a', 30))

    expect(await engine.claim('mail', { limit: 20 })).toHaveLength(20)
  })

  test('takes the tasks of a group by priority, time and arrival', async ({ engine }) => {
    await engine.setQueue('mail', { is_fair: true })
    const made = await engine.enqueueMany(
      [0, 9, 0, 5].map((priority): NewTask => ({ queue: 'mail', groups: ['a'], priority })),
    )

    const handed = []
    for (const _ of range(4)) handed.push((await engine.claimOne('mail')).id)

    expect(handed).toEqual([1, 3, 0, 2].map((index) => made[index]?.id))
  })

  test('finds the one group with work among many that have none due', async ({ engine }) => {
    await engine.setQueue('mail', { is_fair: true })
    const later = new Date(Date.now() + 3_600_000)
    await engine.enqueueMany(
      range(300).map((index): NewTask => ({ queue: 'mail', groups: [`g${index}`], runAt: later })),
    )
    const { id } = await engine.enqueue({ queue: 'mail', groups: ['z'] })

    expect(await engine.claim('mail')).toMatchObject([{ id }])
  })

  test('lets the limit that comes with a task go before its group’s, as any queue does', async ({
    engine,
  }) => {
    await engine.setQueue('mail', { is_fair: true, group_max_running: 1 })
    await engine.enqueueMany(
      [...of('a', 2), ...of('b', 2)].map((task) => ({ ...task, maxRunning: 2 })),
    )
    await engine.setGroup('b', { max_running: 1 })

    expect(await engine.claim('mail', { limit: 2 })).toHaveLength(2)
    expect(shares(await engine.claim('mail', { limit: 2 }))).toEqual({ a: 1, b: 1 })
    expect(await faultsIn(engine)).toEqual([])
  })

  test('passes over a line whose first task has no room by its own limit', async ({
    engine,
    connect,
  }) => {
    await engine.setQueue('mail', { is_fair: true })
    await engine.enqueueMany(of('a', 3).map((task) => ({ ...task, maxRunning: 1 })))
    expect(shares(await engine.claim('mail', { limit: 2 }))).toEqual({ a: 1 })
    await engine.enqueueMany(of('b', 1))

    // It begins with the first line, which is full.
    const newcomer = await member(engine, connect)
    expect(shares(await newcomer.claim('mail', { limit: 1 }))).toEqual({ b: 1 })
  })

  test('holds no group back by the limit of a task that runs', async ({ engine }) => {
    await engine.setQueue('mail', { is_fair: true })
    await engine.enqueueMany(of('a', 1).map((task) => ({ ...task, maxRunning: 1 })))
    await engine.claimOne('mail')
    await engine.enqueueMany(of('a', 2))

    expect(await engine.claim('mail', { limit: 2 })).toHaveLength(2)
  })

  test('keeps to the limits of groups and of the queue under eight workers', async ({
    engine,
    connect,
  }) => {
    await engine.setQueue('mail', { is_fair: true, max_running: 6, group_max_running: 3 })
    await engine.setGroup('a', { max_running: 1 })
    await engine.enqueueMany([...of('a', 60), ...of('b', 60), ...of('c', 60), ...of(null, 20)])
    const workers = await crowd(engine, connect, 8)
    const look = async () => [...(await breachesIn(engine)), ...(await faultsIn(engine))]

    expect(await watch(look, drain(workers, 'mail', { batch: () => 4 }))).toEqual([])
    expect(await census(engine)).toEqual({ done: 200 })
  })

  test('never gives one task to two claimers', async ({ engine, connect }) => {
    await engine.setQueue('mail', { is_fair: true })
    await engine.enqueueMany(range(600).flatMap((index) => of(`g${index % 20}`, 1)))
    const workers = await crowd(engine, connect, 8)

    const handed = await drain(workers, 'mail', { batch: () => 7 })

    expect(handed).toHaveLength(600)
    expect(new Set(handed.map(({ id }) => id)).size).toBe(600)
    expect(await faultsIn(engine)).toEqual([])
  })
})

describe('a queue that becomes fair, or ceases to be,', () => {
  test('keeps its waiting tasks', async ({ engine }) => {
    await engine.setGroup('a', { max_running: 1 })
    await engine.enqueueMany([...of('a', 10), ...of('b', 10), ...of(null, 10)])
    await engine.completeMany(await engine.claim('mail', { limit: 3 }))

    await engine.setQueue('mail', { is_fair: true })
    await engine.completeMany(await engine.claim('mail', { limit: 3 }))
    await engine.setQueue('mail', { is_fair: false })

    expect(await drain([engine], 'mail')).toHaveLength(24)
    expect(await census(engine)).toEqual({ done: 30 })
    expect(await faultsIn(engine)).toEqual([])
  })

  test('loses nothing that is enqueued at that moment', async ({ engine, connect }) => {
    const producer = await member(engine, connect)
    await engine.setQueue('mail', { is_fair: true })

    await producer.rows('begin')
    await producer.enqueueMany(of('a', 2))
    await engine.setQueue('mail', { is_fair: false })
    await producer.rows('commit')

    expect(await engine.claim('mail', { limit: 5 })).toHaveLength(2)
  })

  test('loses nothing while it changes again and again', async ({ engine, connect }) => {
    const workers = await crowd(engine, connect, 4)
    const producers = await crowd(engine, connect, 2)
    const operator = await member(engine, connect)
    let fair = false
    const change = async () => {
      fair = !fair
      await operator.setQueue('mail', { is_fair: fair })
      return faultsIn(engine)
    }

    const produced = all(producers, async (producer, index) => {
      for (const round of range(30)) await producer.enqueueMany(of(`g${(index + round) % 5}`, 5))
    })
    const faults = await watch(change, produced)
    const handed = await watch(change, drain(workers, 'mail'))

    expect([faults, handed]).toEqual([[], []])
    expect(await census(engine)).toEqual({ done: 300 })
  })
})
