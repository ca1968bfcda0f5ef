import { describe, expect } from 'vitest'
import { breachesIn, census, faultsIn } from '../support/books.ts'
import { crowd, drain, member, range, waitsForLock, watch } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const grouped = (n: number, group = 'g') => range(n).map(() => ({ queue: 'mail', groups: [group] }))
const claimAll = async (engine: TestEngine) => (await engine.claim('mail', { limit: 100 })).length
const rowsOf = (engine: TestEngine) =>
  engine.rows('select name, running from groups where opened_by is null order by name')

describe('a group without limits', () => {
  test('has no row while its tasks run, nor after', async ({ engine }) => {
    await engine.enqueueMany(grouped(3))
    const tasks = await engine.claim('mail', { limit: 3 })
    expect(await rowsOf(engine)).toEqual([])
    expect(await engine.rows('select group_name, running from group_stats')).toEqual([
      { group_name: 'g', running: 3 },
    ])

    await engine.completeMany(tasks)

    expect(await rowsOf(engine)).toEqual([])
    expect(await engine.rows('select from group_stats')).toEqual([])
  })

  test('is counted from its first limit on, with what runs already', async ({ engine }) => {
    await engine.enqueueMany(grouped(3))
    const [first] = await engine.claim('mail', { limit: 2 })

    await engine.setGroup('g', { max_running: 2 })
    expect(await claimAll(engine)).toBe(0)
    await engine.completeMany(first ? [first] : [])

    expect(await claimAll(engine)).toBe(1)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('is counted also when the claim had to wait for a pack', async ({ engine, connect }) => {
    await engine.enqueueMany(range(4).map(() => ({ queue: 'mail' })))
    const first = await member(engine, connect)
    const second = await member(engine, connect)

    await first.rows('begin')
    await first.claim('mail')
    const claimed = second.claim('mail', { limit: 2 })
    await waitsForLock(engine, second)
    await engine.enqueue({ queue: 'mail', priority: 1, groups: ['g'] })
    await first.rows('commit')
    expect(await claimed).toMatchObject([{ groups: ['g'] }, {}])

    await engine.setGroup('g', { max_running: 1 })
    expect(await rowsOf(engine)).toEqual([{ name: 'g', running: 1 }])
  })

  test('is counted from the first task with a limit on', async ({ engine }) => {
    await engine.enqueueMany(grouped(1))
    const [first] = await engine.claim('mail')
    await engine.enqueue({ queue: 'mail', groups: ['g'], maxRunning: 1 })

    expect(await claimAll(engine)).toBe(0)
    await engine.completeMany(first ? [first] : [])

    expect(await claimAll(engine)).toBe(1)
    expect(await rowsOf(engine)).toEqual([{ name: 'g', running: 1 }])
  })

  test('is counted from the first limit of its queue for groups on', async ({ engine }) => {
    await engine.enqueueMany(grouped(2))
    const [first] = await engine.claim('mail')

    await engine.setQueue('mail', { group_max_running: 1 })
    expect(await claimAll(engine)).toBe(0)
    await engine.completeMany(first ? [first] : [])

    expect(await claimAll(engine)).toBe(1)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('is counted in one of its queues where another limits it', async ({ engine }) => {
    await engine.setQueue('letters', { group_max_running: 1 })
    await engine.enqueueMany([...grouped(1), { queue: 'letters', groups: ['g'] }])
    const [first] = await engine.claim('mail')

    expect(await engine.claim('letters')).toEqual([])
    await engine.completeMany(first ? [first] : [])

    expect(await engine.claim('letters')).toHaveLength(1)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('counts a claim that was under way when it got its first limit', async ({
    engine,
    connect,
  }) => {
    await engine.enqueueMany(grouped(2))
    const worker = await member(engine, connect)
    const operator = await member(engine, connect)

    await worker.rows('begin')
    await worker.claim('mail')
    const set = operator.setGroup('g', { max_running: 1 })
    await waitsForLock(engine, operator)
    await worker.rows('commit')
    await set

    expect(await rowsOf(engine)).toEqual([{ name: 'g', running: 1 }])
    expect(await claimAll(engine)).toBe(0)
  })

  test('does not count a task whose end was under way then', async ({ engine, connect }) => {
    await engine.enqueueMany(grouped(2))
    const [first] = await engine.claim('mail', { limit: 2 })
    const worker = await member(engine, connect)
    const operator = await member(engine, connect)

    await worker.rows('begin')
    await worker.completeMany(first ? [first] : [])
    const set = operator.setGroup('g', { max_running: 5 })
    await waitsForLock(engine, operator)
    await worker.rows('commit')
    await set

    expect(await rowsOf(engine)).toEqual([{ name: 'g', running: 1 }])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('starts no task with a limit while the end of another is open, and then exactly', async ({
    engine,
    connect,
  }) => {
    await engine.enqueueMany(grouped(1))
    const [first] = await engine.claim('mail')
    const worker = await member(engine, connect)
    await worker.rows('begin')
    await worker.completeMany(first ? [first] : [])
    await engine.enqueue({ queue: 'mail', groups: ['g'], maxRunning: 1 })

    expect(await claimAll(engine)).toBe(0)
    await worker.rows('rollback')
    expect(await claimAll(engine)).toBe(0)
    expect(await rowsOf(engine)).toEqual([{ name: 'g', running: 1 }])
    await worker.completeMany(first ? [first] : [])

    expect(await claimAll(engine)).toBe(1)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('holds up no caller while a first limit is open: claims count instead', async ({
    engine,
    connect,
  }) => {
    await engine.enqueueMany(grouped(1, 'other'))
    const operator = await member(engine, connect)
    await operator.rows('begin')
    await operator.setGroup('g', { max_running: 1 })

    expect(await claimAll(engine)).toBe(1)

    expect(await rowsOf(engine)).toEqual([{ name: 'other', running: 1 }])
    await operator.rows('commit')
    expect(await faultsIn(engine)).toEqual([])
  })

  test('stays exact while first limits come and go under eight workers', async ({
    engine,
    connect,
  }) => {
    const names = range(6).map((n) => `g${n}`)
    await engine.enqueueMany(
      range(900).map((n) => ({
        queue: 'mail',
        groups: n % 5 === 0 ? [`g${n % 6}`, `g${(n + 1) % 6}`] : [`g${n % 6}`],
        ...(n % 50 === 49 && { maxRunning: 2 }),
      })),
    )
    const workers = await crowd(engine, connect, 8)
    const operator = await member(engine, connect)
    let turn = 0
    const change = async () => {
      const name = names[turn++ % names.length] ?? ''
      await operator.setGroup(name, { max_running: 3 })
      await operator.setGroup(name, { max_running: null })
      // As sweep() does a day later.
      await operator.rows(
        `delete from groups where ctid = any (array(
           select ctid from groups
           where running = 0 and max_running is null and not exists (select from tasks where parked_on = groups.name)
           for update skip locked))`,
      )
      return faultsIn(engine)
    }

    expect(await watch(change, drain(workers, 'mail', { batch: () => 3 }))).toEqual([])
    expect(await census(engine)).toEqual({ done: 900 })
    expect(await breachesIn(engine)).toEqual([])
  })
})

describe.for(['repeatable read', 'serializable'])('at isolation level %s', (level) => {
  test('a claim counts, from the transaction after the one that meets a new group', async ({
    engine,
    connect,
  }) => {
    await engine.enqueueMany(grouped(2))
    const [first] = await engine.claim('mail')
    const worker = engine.on(await connect())
    await worker.rows(`set default_transaction_isolation = '${level}'`)

    expect(await worker.claim('mail')).toEqual([])
    expect(await worker.claim('mail')).toHaveLength(1)

    expect(await rowsOf(engine)).toEqual([{ name: 'g', running: 2 }])
    await engine.completeMany(first ? [first] : [])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('an end fails that does not see that its group is counted', async ({ engine, connect }) => {
    await engine.enqueueMany(grouped(1))
    const tasks = await engine.claim('mail')
    const worker = engine.on(await connect())
    await worker.rows(`begin isolation level ${level}`)
    await worker.rows('select from tasks limit 1')
    await engine.setGroup('g', { max_running: 1 })

    await expect(worker.completeMany(tasks)).rejects.toMatchObject({ code: '40001' })
    await worker.rows('rollback')
    await worker.completeMany(tasks)

    expect(await faultsIn(engine)).toEqual([])
  })
})
