import { describe, expect } from 'vitest'
import { census, faultsIn } from '../support/books.ts'
import { all, crowd, drain, member, range, waitsForLock } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import { until } from '../support/until.ts'

describe('claim', () => {
  test('never gives one task to two claimers', async ({ engine, connect }) => {
    const producers = await crowd(engine, connect, 2)
    const workers = await crowd(engine, connect, 8)
    const bulk = range(100).map((index) => ({ queue: 'mail', priority: index % 3 }))
    const produced = all(producers, async (producer) => {
      for (const _ of range(15)) await producer.enqueueMany(bulk)
    })
    await until(() => engine.value('select exists (select from tasks)'))

    const batch = () => 1 + Math.floor(Math.random() * 50)
    const handed = (await drain(workers, 'mail', { batch })).map(({ id }) => id)
    await produced
    handed.push(...(await drain(workers, 'mail', { batch })).map(({ id }) => id))

    expect(handed).toHaveLength(3_000)
    expect(new Set(handed).size).toBe(3_000)
    expect(await census(engine)).toEqual({ done: 3_000 })
    expect(await faultsIn(engine)).toEqual([])
  })

  test('never gives a grouped task to two claimers', async ({ engine, connect }) => {
    const workers = await crowd(engine, connect, 8)
    await engine.enqueueMany(
      range(1_000).map((index) => ({
        queue: 'mail',
        groups: [`g${index % 7}`],
        priority: index % 2,
      })),
    )

    const handed = await drain(workers, 'mail', { batch: () => 7 })

    expect(handed).toHaveLength(1_000)
    expect(new Set(handed.map(({ id }) => id)).size).toBe(1_000)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('passes over what another session is claiming, without waiting', async ({
    engine,
    connect,
  }) => {
    const { id: first } = await engine.enqueue({ queue: 'mail' })
    const { id: second } = await engine.enqueue({ queue: 'mail' })
    const other = await member(engine, connect)

    await other.rows('begin')
    const theirs = await other.claim('mail')
    const ours = await engine.claim('mail', { limit: 2 })
    await other.rows('commit')

    expect([theirs, ours].map((tasks) => tasks.map(({ id }) => id))).toEqual([[first], [second]])
  })

  test('loses nothing when the claimer dies in the middle of its transaction', async ({
    engine,
    connect,
  }) => {
    await engine.setQueue('mail', { max_running: 5 })
    await engine.setGroup('g', { max_running: 2 })
    await engine.enqueueMany(range(4).map(() => ({ queue: 'mail', groups: ['g'] })))
    const dying = await connect()
    const died = new Promise((resolve) => dying.on('error', resolve))
    const victim = engine.on(dying)

    await victim.rows('begin')
    const taken = await victim.claim('mail', { limit: 4 })
    const pid = await victim.value('select pg_backend_pid()')
    await engine.rows('select pg_terminate_backend($1)', pid)
    await died
    await until(() =>
      engine.value('select not exists (select from pg_stat_activity where pid = $1)', pid),
    )

    expect(taken).toHaveLength(2)
    expect(await census(engine)).toEqual({ queued: 4 })
    expect(await faultsIn(engine)).toEqual([])
    expect(await drain([engine], 'mail')).toHaveLength(4)
  })
})

describe('enqueue', () => {
  test('leaves nothing behind when it is rolled back', async ({ engine, connect }) => {
    const producer = await member(engine, connect)

    await producer.rows('begin')
    await producer.enqueueMany([
      { queue: 'mail', key: 'k', groups: ['g'], priority: 9 },
      { queue: 'mail' },
    ])
    await producer.rows('rollback')

    const left = await engine.rows('select from tasks union all select from keys')
    expect(left).toEqual([])
    expect(await engine.claim('mail')).toEqual([])
    expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toMatchObject({ outcome: 'created' })
  })

  test('is seen by no session before it commits, and by all after', async ({ engine, connect }) => {
    const producer = await member(engine, connect)

    await producer.rows('begin')
    await producer.enqueue({ queue: 'mail', priority: 3 })
    const before = await engine.claim('mail')
    await producer.rows('commit')

    expect(before).toEqual([])
    expect(await engine.claim('mail')).toHaveLength(1)
  })
})

describe('a group that is swept away at the moment it is used again', () => {
  test('is created anew, and counts', async ({ engine, connect }) => {
    await engine.rows(`insert into groups (name) values ('g')`)
    await engine.enqueue({ queue: 'mail', groups: ['g'] })
    const sweeper = await member(engine, connect)
    const claimer = await member(engine, connect)

    await sweeper.rows('begin')
    await sweeper.rows(`delete from groups where name = 'g'`)
    const claimed = claimer.claim('mail')
    await waitsForLock(engine, claimer)
    await sweeper.rows('commit')

    const [task] = await claimed
    expect(await faultsIn(engine)).toEqual([])
    await engine.complete(task ?? { id: '0', claim: '0' })
    expect(await census(engine)).toEqual({ done: 1 })
  })
})
