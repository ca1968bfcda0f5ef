import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const sums = `
  select sum(enqueued)::integer as enqueued, sum(claimed)::integer as claimed, sum(done)::integer as done,
         sum(failed)::integer as failed, sum(cancelled)::integer as cancelled,
         sum(requeued)::integer as requeued, sum(lost)::integer as lost
  from counters where queue = 'mail'`

describe('roll_up', () => {
  test('folds what happened into counters', async ({ engine }) => {
    await engine.complete(await engine.running())
    await engine.kill(await engine.running())
    await engine.fail(await engine.running())
    await engine.cancel((await engine.enqueue({ queue: 'mail' })).id)
    await engine.pass('31 seconds', (await engine.running()).id)
    await engine.rescue()

    await engine.rows('select roll_up()')

    expect(await engine.rows(sums)).toEqual([
      { enqueued: 5, claimed: 4, done: 1, failed: 1, cancelled: 1, requeued: 2, lost: 1 },
    ])
    expect(await engine.rows('select from deltas')).toEqual([])
  })

  test('adds to what was there', async ({ engine }) => {
    await engine.enqueue({ queue: 'mail' })
    await engine.rows('select roll_up()')
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])

    await engine.rows('select roll_up()')

    expect(await engine.rows(sums)).toMatchObject([{ enqueued: 3 }])
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
    expect(await engine.rows(sums)).toMatchObject([{ enqueued: 1 }])
  })
})
