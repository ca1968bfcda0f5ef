import { describe, expect } from 'vitest'
import { durationBuckets } from '../../src/engine/measuring.ts'
import { test } from '../support/engine.ts'

const sums = (width: number) => `
  select sum(enqueued)::integer as enqueued, sum(claimed)::integer as claimed, sum(done)::integer as done,
         sum(failed)::integer as failed, sum(cancelled)::integer as cancelled,
         sum(requeued)::integer as requeued, sum(retried)::integer as retried, sum(lost)::integer as lost
  from counters where queue = 'mail' and width = ${width}`

describe('roll_up', () => {
  test('folds what happened into counters of each width', async ({ engine }) => {
    await engine.complete(await engine.running())
    await engine.kill(await engine.running())
    await engine.fail(await engine.running())
    await engine.cancel((await engine.enqueue({ queue: 'mail' })).id)
    await engine.release([await engine.running({ priority: 9 })])
    await engine.pass('31 seconds', (await engine.running({ priority: 10 })).id)
    await engine.rescue()

    await engine.rows('select roll_up()')

    const folded = {
      ...{ enqueued: 6, claimed: 5, done: 1, failed: 1, cancelled: 1 },
      ...{ requeued: 3, retried: 2, lost: 1 },
    }
    expect(await engine.rows(sums(60))).toEqual([folded])
    expect(await engine.rows(sums(600))).toEqual([folded])
    expect(await engine.rows(sums(3600))).toEqual([folded])
    expect(await engine.rows('select * from totals')).toMatchObject([{ lost: '1', done: '1' }])
    expect(await engine.rows('select from deltas')).toEqual([])
  })

  test('passes over a start that is infinite', async ({ engine }) => {
    // As an engine stored them that did not look at what workers said.
    for (const start of ['infinity', '-infinity']) {
      await engine.rows(
        `insert into deltas (queue, done, due_ats, started_ats) values ('mail', 1, array[now()], array[$1::timestamptz])`,
        start,
      )
    }

    await engine.rows('select roll_up()')

    expect(await engine.rows('select done, wait_seconds, run_seconds from totals')).toEqual([
      { done: '2', wait_seconds: 0, run_seconds: 0 },
    ])
  })

  test('is not stopped by a start farther from its time than an interval is long', async ({
    engine,
  }) => {
    await engine.rows(
      `insert into deltas (queue, done, due_ats, started_ats)
       values ('mail', 1, array[timestamptz '4714-11-24 00:00+00 BC'], array[timestamptz '294276-12-31 00:00+00'])`,
    )

    await engine.rows('select roll_up()')

    expect(await engine.rows('select done, run_seconds from totals')).toEqual([
      { done: '1', run_seconds: 0 },
    ])
  })

  test('counts every attempt that ended by how long it waited and ran', async ({ engine }) => {
    const done = await engine.running()
    await engine.pass('20 seconds', done.id)
    await engine.complete(done)
    const again = await engine.running({ runAt: new Date(Date.now() - 200_000) })
    await engine.fail(again)
    const [first, second] = [await engine.running(), await engine.running()]
    await engine.completeMany([first, second])
    await engine.cancel((await engine.running()).id)
    await engine.cancel((await engine.enqueue({ queue: 'mail' })).id)
    await engine.release([await engine.running()])

    await engine.rows('select roll_up()')

    const [total] = await engine.queueTotals()
    const place = (seconds: number) => durationBuckets.findIndex((bound) => seconds < bound)
    const counted = (counts: number[] | null | undefined) =>
      (counts ?? []).reduce((sum, n) => sum + n, 0)
    expect(counted(total?.waits)).toBe(5)
    expect(counted(total?.runs)).toBe(5)
    expect(total?.waits?.[place(200)]).toBe(1)
    expect(total?.runs?.[place(20)]).toBe(1)
    expect(total?.wait_seconds).toBeGreaterThan(199)
    expect(total?.run_seconds).toBeGreaterThan(19)
    expect(total?.waits).toHaveLength(durationBuckets.length + 1)
  })

  test('knows the same bounds as the client', async ({ engine }) => {
    expect(await engine.value('select duration_buckets()')).toEqual(durationBuckets)
  })

  test('adds to what was there', async ({ engine }) => {
    await engine.complete(await engine.running())
    await engine.rows('select roll_up()')
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    await engine.completeMany(await engine.claim('mail', { limit: 2 }))

    await engine.rows('select roll_up()')

    expect(await engine.rows(sums(3600))).toMatchObject([{ enqueued: 3, done: 3 }])
    const [total] = await engine.queueTotals()
    expect(total?.runs?.reduce((sum, n) => sum + n, 0)).toBe(3)
  })

  test('folds as many changes as it is asked for, and says how many', async ({ engine }) => {
    for (let i = 0; i < 3; i++) await engine.enqueue({ queue: 'mail' })

    expect(await engine.value('select roll_up(2)')).toBe(2)
    expect(await engine.value('select roll_up(2)')).toBe(1)
    expect(await engine.value('select roll_up(2)')).toBe(0)
  })

  test('loses and doubles nothing when two fold at once', async ({ engine, connect }) => {
    await engine.enqueue({ queue: 'mail' })
    const other = await connect()
    await other.query('begin')
    await other.query('select roll_up()')

    expect(await engine.value('select roll_up()')).toBe(0)

    await other.query('commit')
    expect(await engine.rows(sums(60))).toMatchObject([{ enqueued: 1 }])
  })
})
