import { describe, expect } from 'vitest'
import { all, crowd, range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import { outcomes, plan } from '../support/schedules.ts'
import type { TestEngine } from '../support/test-engine.ts'

const day = (n: number) => new Date(Date.UTC(2026, 0, n))
const firedPlans = (engine: TestEngine) =>
  engine.rows<{ planned_at: Date }>(
    `select planned_at from occurrence where outcome = 'fired' order by planned_at`,
  )

describe('backfill', () => {
  test('fires the planned times of a range, both ends included, and says how many', async ({
    engine,
  }) => {
    await plan(engine, { cron: '@daily' })

    expect(await engine.backfill('report', day(5), day(8))).toEqual({ fired: 4, more_from: null })

    expect(await firedPlans(engine)).toEqual([5, 6, 7, 8].map((n) => ({ planned_at: day(n) })))
    const tasks = await engine.claim('mail', { limit: 10 })
    expect(tasks.map(({ meta }) => meta)).toContainEqual({
      schedule: 'report',
      planned_at: '2026-01-05T00:00:00.000Z',
    })
    const now = await engine.value<Date>('select now()')
    expect(tasks.every(({ run_at }) => run_at <= now && run_at > day(300))).toBe(true)
  })

  test('never fires a time twice, however often it is asked', async ({ engine, connect }) => {
    await plan(engine, { cron: '@daily' })
    await engine.backfill('report', day(5), day(8))
    const members = await crowd(engine, connect, 4)

    const answers = await all(members, (member, n) =>
      member.backfill('report', day(1 + n), day(20), 5),
    )
    for (const member of members) await member.backfill('report', day(1), day(20))

    expect(answers.every(({ fired }) => fired <= 5)).toBe(true)
    expect(await firedPlans(engine)).toEqual(range(20).map((n) => ({ planned_at: day(n + 1) })))
    expect(await engine.value('select coalesce(sum(size), 0)::int from tasks')).toBe(20)
  })

  test('counts what it fired, not what a key kept out', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', key: 'report' })
    await plan(engine, { cron: '@daily', task: { queue: 'mail', key: 'report' } })

    expect(await engine.backfill('report', day(5), day(8))).toEqual({ fired: 0, more_from: null })
    await engine.cancel(id)
    expect(await engine.backfill('report', day(5), day(8))).toEqual({ fired: 1, more_from: null })

    expect(await outcomes(engine)).toEqual(['fired', 'key', 'key', 'key'])
    expect(await engine.schedule('report')).toMatchObject({ last_fired_at: day(5) })
  })

  test('fires what was skipped, and what fire() has not come to yet', async ({ engine }) => {
    await plan(engine, { misfire: 'skip', misfire_after: '1 second' })
    await engine.pass('3 minutes 30 seconds')
    await engine.fire()
    await engine.pass('1 minute')

    const { fired } = await engine.backfill('report', day(1), new Date('2100-01-01'))
    await engine.fire()

    expect(fired).toBe(4)
    expect(await outcomes(engine)).toEqual(['fired', 'fired', 'fired', 'fired'])
    expect(await engine.rows(`select distinct origin from occurrences`)).toEqual([
      { origin: 'backfill' },
    ])
  })

  test('says where to go on when the limit cuts it short', async ({ engine }) => {
    await plan(engine, { cron: '@daily' })

    const first = await engine.backfill('report', day(1), day(5), 3)
    const second = await engine.backfill('report', first.more_from ?? day(1), day(5), 3)

    expect(first).toEqual({ fired: 3, more_from: day(4) })
    expect(second).toEqual({ fired: 2, more_from: null })
  })

  test('keeps to the start and the end of the schedule', async ({ engine }) => {
    await plan(engine, { cron: '@daily', starts_at: '2026-01-07', ends_at: '2100-01-01' })

    await engine.backfill('report', day(5), day(8))

    expect(await firedPlans(engine)).toEqual([{ planned_at: day(7) }, { planned_at: day(8) }])
  })

  test('does not go back behind what was swept: it may have fired', async ({ engine }) => {
    await plan(engine, { keep: '1 hour' })
    await engine.pass('90 seconds')
    await engine.fire()
    await engine.pass('2 hours')
    await engine.rows(
      `update schedules set next_at = now() + interval '1 minute', look_at = next_at`,
    )

    await engine.sweep()

    expect(await outcomes(engine)).toEqual([])
    await expect(engine.backfill('report', day(1), new Date())).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('may have fired already'),
    })
  })

  test.for([
    ['a range backwards', {}, [day(5), day(1)], 'the earlier first'],
    ['no limit', {}, [day(1), day(5), 0], 'the limit cannot be 0'],
    ['a limit beyond reason', {}, [day(1), day(5), 10_001], 'the limit cannot be 10001'],
    ['drift from the end', { every: '1 hour', drift: 'finished' }, [day(1), day(5)], 'end of each'],
  ] as const)('refuses %s', async ([, settings, [from, to, limit], message], { engine }) => {
    await plan(engine, settings)

    await expect(engine.backfill('report', from, to, limit)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
    })
  })
})

describe('sweep', () => {
  test('keeps occurrences that fire() may still come to', async ({ engine }) => {
    await plan(engine, { keep: '1 minute', misfire: 'all', misfire_after: '1 second' })
    await engine.pass('10 minutes')
    await engine.backfill('report', day(1), new Date())

    await engine.sweep()
    await engine.fire()

    expect(await engine.value('select coalesce(sum(size), 0)::int from tasks')).toBe(10)
  })
})

describe('run_schedule', () => {
  test('fires now, paused or not, and leaves the planned times as they are', async ({ engine }) => {
    const next = await plan(engine)
    await engine.pauseSchedule('report')

    const ids = [await engine.runSchedule('report'), await engine.runSchedule('report')]

    expect(new Set(ids).size).toBe(2)
    expect(await engine.schedule('report')).toMatchObject({ next_at: next, last_task: ids[1] })
    expect(await engine.rows(`select outcome, origin from occurrence`)).toEqual([
      { outcome: 'fired', origin: 'now' },
      { outcome: 'fired', origin: 'now' },
    ])
    expect(await engine.claim('mail', { limit: 5 })).toHaveLength(2)
  })

  test('keeps to overlap: refuses, cancels or waits', async ({ engine }) => {
    await plan(engine, { overlap: 'skip' })
    const first = await engine.runSchedule('report')
    await expect(engine.runSchedule('report')).rejects.toMatchObject({
      code: 'wrong_state',
      message: expect.stringContaining(`task ${first}`),
    })

    await plan(engine, { overlap: 'cancel' })
    await engine.runSchedule('report')
    expect(await engine.task(first)).toMatchObject({ state: 'cancelled' })

    await plan(engine, { overlap: 'queue' }, 'line')
    await engine.runSchedule('line')
    await engine.runSchedule('line')
    await engine.claim('mail', { limit: 5 })
    expect(await engine.claim('mail', { limit: 5 })).toEqual([])
  })
})
