import { describe, expect } from 'vitest'
import { durationBuckets } from '../../src/engine/measuring.ts'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import { Dice } from '../support/model.ts'

const minute = 60_000

describe('series', () => {
  test('has a point for every step, also where nothing happened', async ({ engine }) => {
    const to = new Date('2026-01-02T00:00:00Z')
    const from = new Date('2026-01-01T00:00:30Z')

    const points = await engine.series({ from, to, width: 600 })

    expect(points).toHaveLength(144)
    expect(points[0]).toEqual({
      at: new Date('2026-01-01T00:00:00Z'),
      ...{ enqueued: 0, started: 0, done: 0, failed: 0, cancelled: 0, retried: 0, lost: 0 },
      ...{ wait_p50: null, wait_p95: null, wait_p99: null },
      ...{ run_p50: null, run_p95: null, run_p99: null },
    })
    expect(points[143]?.at).toEqual(new Date('2026-01-01T23:50:00Z'))
  })

  test('counts what happened in one queue or in all, folded or not', async ({ engine }) => {
    await engine.complete(await engine.running({ queue: 'mail' }))
    await engine.rows('select roll_up()')
    await engine.fail(await engine.running({ queue: 'mail' }))
    await engine.kill(await engine.running({ queue: 'post' }))
    await engine.cancel((await engine.enqueue({ queue: 'post' })).id)
    const total = async (queue?: string) => {
      const points = await engine.series({ queue, to: new Date(Date.now() + minute), width: 3600 })
      const sum = (name: 'enqueued' | 'started' | 'done' | 'failed' | 'cancelled' | 'retried') =>
        points.reduce((all, point) => all + point[name], 0)
      return [
        sum('enqueued'),
        sum('started'),
        sum('done'),
        sum('failed'),
        sum('cancelled'),
        sum('retried'),
      ]
    }

    expect(await total('mail')).toEqual([2, 2, 1, 0, 0, 1])
    expect(await total('post')).toEqual([2, 1, 0, 1, 1, 0])
    expect(await total()).toEqual([4, 3, 1, 1, 1, 1])
  })

  test('tells percentiles within the bucket that the true ones are in', async ({ engine }) => {
    const dice = new Dice(7)
    // Between a millisecond and a day, evenly over the orders of magnitude.
    const waits = range(400).map(() => 10 ** (dice.next() * 7.9 - 3))
    await engine.rows(
      `insert into deltas (at, queue, done, due_ats, started_ats)
       select ended.at, 'mail', 1, array[ended.at - make_interval(secs => wait)], array[ended.at]
       from unnest($1::float8[]) as wait, (select date_bin('1 hour', now(), 'epoch') - interval '1 minute' as at) as ended`,
      waits,
    )

    await engine.rows('select roll_up()')

    const points = await engine.series({
      queue: 'mail',
      from: new Date(Date.now() - 120 * minute),
      width: 3600,
    })
    const [point] = points.filter(({ wait_p50 }) => wait_p50 !== null)
    const sorted = [...waits].sort((a, b) => a - b)
    const bucket = (seconds: number | null | undefined) =>
      durationBuckets.findIndex((bound) => (seconds ?? Number.NaN) <= bound)
    for (const [share, reported] of [
      [0.5, point?.wait_p50],
      [0.95, point?.wait_p95],
      [0.99, point?.wait_p99],
    ] as const) {
      const really = sorted[Math.ceil(share * sorted.length) - 1] ?? 0
      expect(bucket(reported)).toBe(bucket(really))
    }
    expect(point).toMatchObject({ done: 400, run_p50: expect.any(Number) })
    expect(point?.run_p99).toBeLessThanOrEqual(0.001)
  })

  test.for([
    [{ width: 61 }, 'multiple of 60'],
    [{ width: 0 }, 'multiple of 60'],
    [{ from: new Date(0) }, 'greater width'],
  ] as const)('refuses %o', async ([options, hint], { engine }) => {
    await expect(engine.series(options)).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.stringContaining(hint),
    })
  })
})

describe('queue_total', () => {
  test('knows exactly what lives, folded or not', async ({ engine }) => {
    await engine.enqueueMany(range(5).map(() => ({ queue: 'mail' })))
    await engine.rows('select roll_up()')
    const [first, second] = await engine.claim('mail', { limit: 3 })
    if (first === undefined || second === undefined) throw new Error('nothing was claimed')
    await engine.complete(first)
    await engine.cancel(second.id)
    await engine.retry(first.id)

    expect(await engine.queueTotals()).toMatchObject([
      { queue: 'mail', depth: 4, running: 1, waiting: 3, enqueued: 6, done: 1 },
    ])
  })
})
