import { describe, expect } from 'vitest'
import { breachesIn, census, faultsIn } from '../support/books.ts'
import { crowd, drain, member, range, waitsForLock, watch } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'
import { until } from '../support/until.ts'

const limited = (n: number) => range(n).map(() => ({ queue: 'mail', groups: ['g'] }))
const claimAll = async (engine: TestEngine) => (await engine.claim('mail', { limit: 100 })).length

describe('the limit of a group', () => {
  test('lets more in at once when it is raised', async ({ engine }) => {
    await engine.setGroup('g', { max_running: 1 })
    await engine.enqueueMany(limited(10))
    expect(await claimAll(engine)).toBe(1)

    await engine.setGroup('g', { max_running: 4 })

    expect(await claimAll(engine)).toBe(3)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('goes on after a task whose row was held when its turn came', async ({
    engine,
    connect,
  }) => {
    await engine.setGroup('g', { max_running: 1 })
    await engine.enqueueMany(limited(2))
    const [running] = await engine.claim('mail', { limit: 10 })
    // As a claim does that looked at the row while it was being parked.
    const holder = await connect()
    await holder.query('begin')
    await holder.query('select from tasks where parked_on is not null for update')

    if (running) await engine.complete(running)
    expect(await claimAll(engine)).toBe(0)
    await holder.query('commit')

    // The first claim finds that the group is owed a task, the next takes it.
    await claimAll(engine)
    expect(await claimAll(engine)).toBe(1)
    expect(await engine.rows('select from groups where is_owed')).toEqual([])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('lets all in when it is lifted', async ({ engine }) => {
    await engine.setGroup('g', { max_running: 1 })
    await engine.enqueueMany(limited(10))
    expect(await claimAll(engine)).toBe(1)

    await engine.setGroup('g', { max_running: null })

    expect(await claimAll(engine)).toBe(9)
  })

  test('lets nothing start while more run than a lowered one allows', async ({ engine }) => {
    await engine.setGroup('g', { max_running: 3 })
    await engine.enqueueMany(limited(10))
    const running = await engine.claim('mail', { limit: 10 })

    await engine.setGroup('g', { max_running: 1 })
    const counts = []
    for (const task of running) {
      await engine.complete(task)
      counts.push(await claimAll(engine))
    }

    expect(counts).toEqual([0, 0, 1])
    expect(await breachesIn(engine)).toEqual([])
  })

  test('may be nothing at all for a while', async ({ engine }) => {
    await engine.setGroup('g', { max_running: 0 })
    await engine.enqueueMany(limited(3))
    expect(await claimAll(engine)).toBe(0)

    await engine.setGroup('g', { max_running: 2 })

    expect(await claimAll(engine)).toBe(2)
  })

  test('begins to hold for tasks that wait unlimited', async ({ engine }) => {
    await engine.enqueueMany(limited(10))
    const running = await engine.claim('mail', { limit: 2 })

    await engine.setGroup('g', { max_running: 3 })

    expect(await claimAll(engine)).toBe(1)
    await engine.completeMany(running)
    expect(await claimAll(engine)).toBe(2)
  })

  test('common to all groups of a queue lets more in when it is raised', async ({ engine }) => {
    await engine.setQueue('mail', { group_max_running: 1 })
    await engine.enqueueMany(limited(10))
    expect(await claimAll(engine)).toBe(1)

    await engine.setQueue('mail', { group_max_running: 3 })
    expect(await claimAll(engine)).toBe(2)
    await engine.setQueue('mail', { group_max_running: null })

    expect(await claimAll(engine)).toBe(7)
  })

  test('common to all queues lets more in when it is raised', async ({ engine }) => {
    await engine.setQueue('*', { group_max_running: 1 })
    await engine.enqueueMany(limited(10))
    expect(await claimAll(engine)).toBe(1)

    await engine.setQueue('*', { group_max_running: 3 })

    expect(await claimAll(engine)).toBe(2)
  })

  test('changes at any time under eight workers without stranding anything', async ({
    engine,
    connect,
  }) => {
    await engine.enqueueMany(limited(600))
    const workers = await crowd(engine, connect, 8)
    const operator = await member(engine, connect)

    const work = drain(workers, 'mail', { batch: () => 3 })
    const limits = [2, 7, null, 1, 0, 5, null, 3]
    let turn = 0
    const change = async () => {
      await operator.setGroup('g', { max_running: limits[turn % limits.length] ?? null })
      await operator.setQueue('mail', { max_running: limits[(turn + 3) % limits.length] ?? null })
      turn += 1
      if (turn % 4 === 0) await operator.setGroup('g', { max_running: 2 })
      if (turn % 4 === 0) await operator.setQueue('mail', { max_running: 4 })
      return faultsIn(engine)
    }

    expect(await watch(change, work)).toEqual([])
    expect(await census(engine)).toEqual({ done: 600 })
    expect(await engine.rows('select * from repair_limits()')).toEqual([])
  })
})

describe('the limit of a queue', () => {
  test('counts what runs already when it is set', async ({ engine }) => {
    await engine.enqueueMany(limited(10))
    await engine.claim('mail', { limit: 4 })

    await engine.setQueue('mail', { max_running: 5 })

    expect(await claimAll(engine)).toBe(1)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('does not count a task whose end was under way when it was set', async ({
    engine,
    connect,
  }) => {
    await engine.enqueueMany(limited(2))
    const [first] = await engine.claim('mail', { limit: 2 })
    const worker = await member(engine, connect)
    const operator = await member(engine, connect)

    await worker.rows('begin')
    await worker.completeMany(first ? [first] : [])
    const set = operator.setQueue('mail', { max_running: 5 })
    await waitsForLock(engine, operator)
    await worker.rows('commit')
    await set

    expect(await faultsIn(engine)).toEqual([])
  })

  test('counts a claim that was under way when it was set', async ({ engine, connect }) => {
    await engine.enqueueMany(limited(2))
    const worker = await member(engine, connect)
    const operator = await member(engine, connect)

    await worker.rows('begin')
    await worker.claim('mail')
    const set = operator.setQueue('mail', { max_running: 5 })
    await waitsForLock(engine, operator)
    await worker.rows('commit')
    await set

    expect(await faultsIn(engine)).toEqual([])
    expect(await engine.value(`select running from groups where name = '@mail'`)).toBe(1)
  })
})

describe('workers are asked for what they have not started', () => {
  test('when more is claimed than a new limit allows, and by a pause', async ({
    engine,
    schema,
    connect,
  }) => {
    await engine.enqueueMany(limited(4))
    await claimAll(engine)
    const client = await connect()
    const asked: (string | undefined)[] = []
    client.on('notification', ({ payload }) => asked.push(payload))
    await client.query(`listen "${schema}:limits"`)

    await engine.setQueue('mail', { max_running: 4 })
    await engine.setGroup('g', { max_running: 4 })
    await engine.setQueue('mail', { max_running: 3 })
    await engine.setQueue('mail', { is_fair: true })
    await engine.setGroup('g', { max_running: 2 })
    await engine.pause('mail')
    await engine.pauseGroup('g')
    await until(async () => {
      await client.query('select')
      return asked.length >= 4
    })

    expect(asked).toEqual(['@mail', 'g', '@mail', 'g'])
  })
})

describe('a group that is paused', () => {
  test('starts nothing in any queue, and all of it again when it is resumed', async ({
    engine,
  }) => {
    await engine.enqueueMany([...limited(3), { queue: 'letters', groups: ['g'] }])
    const running = await engine.claimOne('mail')

    await engine.pauseGroup('g')
    const paused = [await claimAll(engine), (await engine.claim('letters')).length]
    await engine.complete(running)
    paused.push(await claimAll(engine))
    await engine.resumeGroup('g')

    expect(paused).toEqual([0, 0, 0])
    expect([await claimAll(engine), (await engine.claim('letters')).length]).toEqual([2, 1])
  })

  test('keeps to its limit when it is resumed', async ({ engine }) => {
    await engine.setGroup('g', { max_running: 2 })
    await engine.enqueueMany(limited(6))
    await engine.pauseGroup('g')
    expect(await claimAll(engine)).toBe(0)

    await engine.resumeGroup('g')

    expect(await claimAll(engine)).toBe(2)
    expect(await faultsIn(engine)).toEqual([])
  })
})
