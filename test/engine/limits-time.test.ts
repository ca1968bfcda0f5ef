import { describe, expect } from 'vitest'
import { census, faultsIn } from '../support/books.ts'
import { crowd, drain, range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const limited = (n: number, queue = 'mail') => range(n).map(() => ({ queue, groups: ['g'] }))
const claimAll = async (engine: TestEngine, queue = 'mail') =>
  (await engine.claim(queue, { limit: 100 })).length

/** The most starts in any window, from the recorded times of all starts. */
const mostStarts = (engine: TestEngine, window: string) =>
  engine.value<number>(
    `select max(n)::int
     from (
       select (select count(*) from finished as other
               where other.started_at >= one.started_at and other.started_at < one.started_at + $1::interval) as n
       from finished as one
     ) as windows`,
    window,
  )

const shortestGap = `
  select min(started_at - before)
  from (select started_at, lag(finished_at) over (order by started_at) as ended,
               lag(started_at) over (order by started_at) as before from finished) as starts`

describe('a gap', () => {
  test('lets one start at a time, and the next by the passing of time alone', async ({
    engine,
  }) => {
    await engine.setGroup('g', { gap: '10 seconds' })
    await engine.enqueueMany(limited(5))

    const counts = [await claimAll(engine), await claimAll(engine)]
    for (const _ of range(2)) {
      await engine.pass('10 seconds')
      counts.push(await claimAll(engine), await claimAll(engine))
    }

    expect(counts).toEqual([1, 0, 1, 0, 1, 0])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('counts from the end of the one before when asked', async ({ engine }) => {
    await engine.setGroup('g', { max_running: 1, gap: '10 seconds', gap_from: 'end' })
    await engine.enqueueMany(limited(3))

    const task = await engine.claimOne('mail')
    await engine.pass('10 seconds')
    const counts = [await claimAll(engine)]
    await engine.complete(task)
    counts.push(await claimAll(engine))
    await engine.pass('10 seconds')
    counts.push(await claimAll(engine))

    expect(counts).toEqual([0, 0, 1])
  })

  test('of a queue keeps its tasks apart', async ({ engine }) => {
    await engine.setQueue('mail', { gap: '10 seconds' })
    await engine.enqueueMany(range(3).map(() => ({ queue: 'mail' })))

    const counts = [await claimAll(engine), await claimAll(engine)]
    await engine.pass('10 seconds')
    counts.push(await claimAll(engine))

    expect(counts).toEqual([1, 0, 1])
  })

  test('is kept by eight workers', async ({ engine, connect }) => {
    await engine.setGroup('g', { gap: '40 milliseconds' })
    await engine.enqueueMany(limited(20))
    const workers = await crowd(engine, connect, 8)

    await drain(workers, 'mail')

    expect(await engine.value(`select (${shortestGap}) >= interval '40 milliseconds'`)).toBe(true)
    expect(await census(engine)).toEqual({ done: 20 })
  })

  test('lets the next start at once when it is lifted', async ({ engine }) => {
    await engine.setGroup('g', { gap: '1 hour' })
    await engine.enqueueMany(limited(4))
    expect(await claimAll(engine)).toBe(1)
    expect(await claimAll(engine)).toBe(0)

    await engine.setGroup('g', { gap: null })

    expect(await claimAll(engine)).toBe(3)
  })
})

describe('a rate', () => {
  test('allows so many starts in a window, then waits for the first to leave it', async ({
    engine,
  }) => {
    await engine.setGroup('g', { rate: 3, rate_window: '1 minute' })
    await engine.enqueueMany(limited(10))

    const counts = [await claimAll(engine), await claimAll(engine)]
    await engine.pass('59 seconds')
    counts.push(await claimAll(engine))
    await engine.pass('1 second')
    // The first starts of a window bring the others back into the index.
    counts.push((await claimAll(engine)) + (await claimAll(engine)), await claimAll(engine))

    expect(counts).toEqual([3, 0, 0, 3, 0])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('is not given back by tasks that end, are released or fail', async ({ engine }) => {
    await engine.setGroup('g', { rate: 3, rate_window: '1 minute' })
    await engine.enqueueMany(limited(10))

    const [one, two, three] = await engine.claim('mail', { limit: 3 })
    if (one) await engine.complete(one)
    if (two) await engine.release([two])
    if (three) await engine.fail(three, null, { delay: '0' })

    expect(await claimAll(engine)).toBe(0)
  })

  test('is never exceeded in any window by eight workers, and is used', async ({
    engine,
    connect,
  }) => {
    await engine.setGroup('g', { rate: 10, rate_window: '300 milliseconds' })
    await engine.enqueueMany(limited(60))
    const workers = await crowd(engine, connect, 8)

    await drain(workers, 'mail', { batch: () => 3 })

    expect(await mostStarts(engine, '300 milliseconds')).toBe(10)
    expect(await census(engine)).toEqual({ done: 60 })
  })

  test('of a queue is never exceeded in any window', async ({ engine, connect }) => {
    await engine.setQueue('mail', { rate: 10, rate_window: '300 milliseconds' })
    await engine.enqueueMany(range(60).map(() => ({ queue: 'mail' })))
    const workers = await crowd(engine, connect, 8)

    await drain(workers, 'mail', { batch: () => 3 })

    expect(await mostStarts(engine, '300 milliseconds')).toBe(10)
    expect(await census(engine)).toEqual({ done: 60 })
  })

  test('lets all start when it is lifted', async ({ engine }) => {
    await engine.setGroup('g', { rate: 1, rate_window: '1 hour' })
    await engine.enqueueMany(limited(5))
    expect([await claimAll(engine), await claimAll(engine)]).toEqual([1, 0])

    await engine.setGroup('g', { rate: null, rate_window: null })

    expect(await claimAll(engine)).toBe(4)
  })

  test('goes on when the one that was next is cancelled', async ({ engine }) => {
    await engine.setGroup('g', { rate: 1, rate_window: '1 minute' })
    await engine.enqueueMany(limited(5))
    const counts = [await claimAll(engine), await claimAll(engine)]
    await engine.rows(`select cancel(id) from tasks where claim is null and parked_on is null`)

    await engine.pass('1 minute')

    expect([...counts, await claimAll(engine)]).toEqual([1, 0, 1])
  })
})
