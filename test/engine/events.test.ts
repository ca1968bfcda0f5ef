import { describe, expect } from 'vitest'
import type { TaskEvent } from '../../src/engine/following.ts'
import { range } from '../support/crowd.ts'
import { test as base } from '../support/engine.ts'

const names = (events: TaskEvent[]) => events.map(({ event }) => event)

/** With a client that follows. */
const test = base.extend<{ followed: string }>({
  followed: async ({ engine }, use) => use((await engine.follow()).after),
})

describe('events', () => {
  test('tell the life of a task', async ({ engine, followed }) => {
    const task = await engine.running()
    await engine.fail(task, null, { delay: '0' })
    await engine.complete(await engine.claimOne('mail'))
    await engine.retry(task.id)
    await engine.cancel(task.id)

    const events = await engine.events({ after: followed })

    expect(names(events).join(' ')).toBe('enqueue claim requeue claim complete retry cancel')
    expect(new Set(events.map(({ task: id }) => id))).toEqual(new Set([task.id]))
  })

  test('are not recorded while no client follows', async ({ engine }) => {
    await engine.complete(await engine.running())

    expect(await engine.rows('select from events')).toEqual([])
  })

  test('are recorded always where a queue asks for it', async ({ engine }) => {
    await engine.setQueue('mail', { records_events: true })
    await engine.complete(await engine.running({ queue: 'post' }))
    await engine.complete(await engine.running({ queue: 'mail' }))

    expect(await engine.events()).toMatchObject([
      { event: 'enqueue', queue: 'mail' },
      { event: 'claim', queue: 'mail' },
      { event: 'complete', queue: 'mail' },
    ])
  })

  test('are not recorded for a duplicate that changed nothing', async ({ engine, followed }) => {
    const press = { queue: 'mail', key: 'k', onDuplicate: 'throttle', window: '1 hour' } as const
    await engine.enqueue(press)
    await engine.enqueue(press)
    await engine.enqueue({ queue: 'mail', key: 'k' })

    expect(await engine.events({ after: followed })).toHaveLength(1)
  })

  test('are gone with the transaction that is rolled back', async ({
    engine,
    followed,
    connect,
  }) => {
    const client = await connect()
    await client.query('begin')
    await engine.on(client).enqueue({ queue: 'mail' })
    await client.query('rollback')
    const { id } = await engine.enqueue({ queue: 'mail' })

    expect(await engine.events({ after: followed })).toMatchObject([{ task: id }])
  })
})

describe('read_events', () => {
  test('goes on after the last event that was seen', async ({ engine, followed }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'post' }])
    const [first, second] = await engine.events({ after: followed })

    expect(await engine.events({ after: first?.id })).toEqual([second])
    expect(await engine.events({ after: second?.id })).toEqual([])
  })

  test('waits for what commits late instead of passing it over', async ({
    engine,
    followed,
    connect,
  }) => {
    const late = await connect()
    await late.query('begin')
    const first = await engine.on(late).enqueue({ queue: 'mail', payload: 'late' })
    const second = await engine.enqueue({ queue: 'mail', payload: 'early' })
    expect(await engine.events({ after: followed })).toEqual([])

    await late.query('commit')

    const events = await engine.events({ after: followed })
    expect(events.map(({ task }) => task)).toEqual([first.id, second.id])
  })

  test('shows what happened before a transaction that is still under way', async ({
    engine,
    followed,
    connect,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    const late = await connect()
    await late.query('begin')
    await engine.on(late).enqueue({ queue: 'mail' })
    await engine.on(late).enqueue({ queue: 'mail' })

    expect(await engine.events({ after: followed })).toMatchObject([{ task: id }])
  })

  test('is not held up by transactions that have nothing to do with tasks', async ({
    engine,
    followed,
    connect,
  }) => {
    const other = await connect()
    await other.query('begin')
    await other.query('select pg_current_xact_id()')
    const { id } = await engine.enqueue({ queue: 'mail' })

    expect(await engine.events({ after: followed })).toMatchObject([{ task: id }])
  })

  test('forgets about a transaction that took its events back', async ({
    engine,
    followed,
    connect,
  }) => {
    const other = await connect()
    await other.query('begin; savepoint s')
    await engine.on(other).enqueue({ queue: 'mail' })
    await other.query('rollback to savepoint s')
    const { id } = await engine.enqueue({ queue: 'mail' })

    expect(await engine.events({ after: followed })).toMatchObject([{ task: id }])

    const again = await engine.on(other).enqueue({ queue: 'mail' })
    await engine.enqueue({ queue: 'mail' })
    expect(await engine.events({ after: followed })).toHaveLength(1)
    await other.query('commit')
    const events = await engine.events({ after: followed })
    expect(events.map(({ task }) => task)).toMatchObject([id, again.id, expect.any(String)])
  })

  test('gives as many as it is asked for, of the queue that it is asked for', async ({
    engine,
    followed,
  }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'post' }, { queue: 'mail' }])
    const all = await engine.events({ after: followed })

    expect(await engine.events({ after: followed, limit: 1 })).toEqual(all.slice(0, 1))
    expect(await engine.events({ after: followed, queue: 'post' })).toEqual(all.slice(1, 2))
  })

  test('refuses a transaction that would see the past', async ({ engine, connect }) => {
    const client = await connect()
    await client.query('begin isolation level repeatable read')

    await expect(engine.on(client).events()).rejects.toMatchObject({ code: 'invalid_argument' })
  })
})

describe('follow', () => {
  test('writes again only when half of its time is over', async ({ engine }) => {
    const { until } = await engine.follow('1 minute')
    const again = await engine.follow('1 minute')
    expect(again.until).toEqual(until)

    await engine.pass('40 seconds')

    expect((await engine.follow('1 minute')).until.getTime()).toBeGreaterThan(
      until.getTime() - 40_000,
    )
  })

  test('stops recording when no client follows any more', async ({ engine }) => {
    await engine.follow('1 minute')
    await engine.pass('61 seconds')

    await engine.enqueue({ queue: 'mail' })

    expect(await engine.events()).toEqual([])
  })

  test('says from where on nothing is missing', async ({ engine }) => {
    await engine.follow()
    await engine.enqueue({ queue: 'mail' })
    const held = await engine.follow()
    expect(Number(held.since)).toBeLessThan(Number(held.after))

    await engine.pass('2 minutes')
    const begun = await engine.follow()

    expect(begun.since).toBe(begun.after)
    expect(begun.since).toBe(held.after)
  })

  test('says so too when events were swept', async ({ engine }) => {
    await engine.follow('1 hour')
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    const [, last] = await engine.events()
    await engine.rows(`update events set at = at - interval '2 hours'`)

    await engine.sweep()

    expect(await engine.events()).toEqual([])
    expect((await engine.follow('1 hour')).since).toBe(last?.id)
  })

  test('are swept in rounds that a leader has the time for', async ({ engine }) => {
    await engine.follow('1 hour')
    await engine.enqueueMany(range(25).map(() => ({ queue: 'mail' })))
    await engine.rows(`update events set at = at - interval '2 hours'`)
    await engine.rows('select prepare_days(now())')
    const left = () => engine.value<number>('select count(*)::int from events')

    const first = await engine.runChore('sweep', { limit: 1 })
    expect([first.next_in_ms, await left()]).toEqual([0, 15])
    await engine.runChore('sweep', { limit: 1 })
    const last = await engine.runChore('sweep', { limit: 1 })

    expect([last.next_in_ms, await left()]).toEqual([null, 0])
    expect(await engine.events()).toEqual([])
  })

  test.for(['0', '2 hours', null] as const)('refuses to go on for %s', async (time, { engine }) => {
    await expect(engine.rows('select follow($1)', time)).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })
})
