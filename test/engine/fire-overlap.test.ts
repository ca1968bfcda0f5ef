import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'
import { outcomes, plan } from '../support/schedules.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** Lets a planned time come and fires it. */
async function nextTime(engine: TestEngine): Promise<void> {
  await engine.pass('1 minute')
  await engine.fire()
}

const states = (engine: TestEngine) =>
  engine.rows<{ state: string }>('select state from task order by id')

describe('overlap', () => {
  test('allow: fires while others of it are live', async ({ engine }) => {
    await plan(engine)
    await nextTime(engine)
    await engine.claimOne('mail')

    await nextTime(engine)

    expect(await outcomes(engine)).toEqual(['fired', 'fired'])
    expect(await states(engine)).toEqual([{ state: 'running' }, { state: 'ready' }])
  })

  test('skip: does not fire while one of it is queued or running, and does afterwards', async ({
    engine,
  }) => {
    await plan(engine, { overlap: 'skip' })
    await nextTime(engine)
    await nextTime(engine)
    const held = await engine.claimOne('mail', { lease: '1 hour' })
    await nextTime(engine)
    await engine.complete(held)

    await nextTime(engine)

    expect(await outcomes(engine)).toEqual(['fired', 'overlap', 'overlap', 'fired'])
  })

  test('skip: of several that are late fires the first', async ({ engine }) => {
    await plan(engine, { overlap: 'skip', misfire_after: '1 hour' })
    await engine.pass('3 minutes')

    await engine.fire()

    expect(await outcomes(engine)).toEqual(['fired', 'overlap', 'overlap'])
  })

  test('queue: fires all, and lets one run at a time', async ({ engine }) => {
    await plan(engine, { overlap: 'queue', misfire_after: '1 hour' })
    await engine.pass('3 minutes')

    await engine.fire()

    expect(await outcomes(engine)).toEqual(['fired', 'fired', 'fired'])
    const first = await engine.claim('mail', { limit: 5 })
    expect(first).toHaveLength(1)
    expect(await engine.claim('mail', { limit: 5 })).toEqual([])
    if (first[0]) await engine.complete(first[0])
    expect(await engine.claim('mail', { limit: 5 })).toHaveLength(1)
  })

  test('queue: keeps the groups of the template, and a line that no other task can join', async ({
    engine,
  }) => {
    await plan(engine, { overlap: 'queue', task: { queue: 'mail', groups: ['g'] } })
    await nextTime(engine)

    expect((await engine.claimOne('mail')).groups).toEqual(['g', 'schedule:report'])
    const intruder = engine.enqueue({ queue: 'mail', groups: ['schedule:report'] })
    await expect(intruder).rejects.toMatchObject({ code: 'invalid_argument' })
    await expect(engine.setGroup('schedule:report', {})).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })

  test('queue: lets all of it run again once it is allow', async ({ engine }) => {
    await plan(engine, { overlap: 'queue', misfire_after: '1 hour' })
    await engine.pass('3 minutes')
    await engine.fire()

    await plan(engine, { overlap: 'allow' })

    expect(await engine.claim('mail', { limit: 5 })).toHaveLength(3)
  })

  test('cancel: stops the one that runs, and fires', async ({ engine }) => {
    await plan(engine, { overlap: 'cancel' })
    await nextTime(engine)
    const held = await engine.claimOne('mail')

    await nextTime(engine)

    expect(await outcomes(engine)).toEqual(['fired', 'fired'])
    expect(await states(engine)).toEqual([{ state: 'cancelled' }, { state: 'ready' }])
    await expect(engine.complete(held)).rejects.toMatchObject({ code: 'lease_lost' })
  })

  test('cancel: of several that are late fires the newest', async ({ engine }) => {
    await plan(engine, { overlap: 'cancel', misfire_after: '1 hour' })
    await engine.pass('3 minutes')

    await engine.fire()

    expect(await outcomes(engine)).toEqual(['overlap', 'overlap', 'fired'])
  })

  test('looks at what was fired before it was asked to', async ({ engine }) => {
    await plan(engine)
    await nextTime(engine)
    await plan(engine, { overlap: 'skip' })

    await nextTime(engine)

    expect(await outcomes(engine)).toEqual(['fired', 'overlap'])
  })
})

describe('the key of a template', () => {
  test('does not keep many from firing together', async ({ engine }) => {
    for (const n of [1, 2, 3]) {
      await plan(engine, { task: { queue: 'mail', key: `k${n % 2}` } }, `schedule ${n}`)
    }
    await engine.pass('61 seconds')

    expect(await engine.fire()).toMatchObject({ processed: 3 })

    const rows = await engine.rows(`select outcome, reason from occurrence order by schedule`)
    expect(rows.map(({ reason, outcome }) => reason ?? outcome)).toEqual(['fired', 'fired', 'key'])
  })

  test('keeps out a second task, and the occurrence says so', async ({ engine }) => {
    await plan(engine, { task: { queue: 'mail', key: 'report' } })
    await nextTime(engine)
    const { id } = await engine.claimOne('mail')

    await nextTime(engine)

    expect(await outcomes(engine)).toEqual(['fired', 'key'])
    expect(await engine.rows('select task from occurrence')).toEqual([{ task: id }, { task: id }])
  })

  test('does not let the schedule take the task that holds it for its own', async ({ engine }) => {
    const held = await engine.enqueue({ queue: 'mail', key: 'report' })
    await plan(engine, { overlap: 'cancel', task: { queue: 'mail', key: 'report' } })

    expect(await engine.value(`select run_schedule('report')`)).toBe(held.id)
    await nextTime(engine)
    await nextTime(engine)

    expect(await outcomes(engine)).toEqual(['key', 'key', 'key'])
    expect(await states(engine)).toEqual([{ state: 'ready' }])
    expect(await engine.schedule('report')).toMatchObject({ last_task: null, last_fired_at: null })
  })

  test('does not end a schedule that plans from the end of its tasks', async ({ engine }) => {
    await engine.enqueue({ queue: 'mail', key: 'report' })
    await plan(engine, { drift: 'finished', task: { queue: 'mail', key: 'report' } })
    await nextTime(engine)
    expect(await engine.schedule('report')).toMatchObject({ state: 'planned' })
    await engine.complete(await engine.claimOne('mail'))

    await nextTime(engine)

    expect(await outcomes(engine)).toEqual(['key', 'fired'])
  })
})

describe('drift', () => {
  test('planned: counts from the planned time, however long a run takes', async ({ engine }) => {
    const next = await plan(engine)
    await nextTime(engine)

    const { next_at } = (await engine.schedule('report')) ?? {}

    expect(next_at).toEqual(next)
  })

  test('finished: plans the next when the task has ended, from then', async ({ engine }) => {
    await plan(engine, { drift: 'finished' })
    await nextTime(engine)
    const held = await engine.claimOne('mail')
    await engine.pass('10 minutes')
    const { next_in_ms } = await engine.fire()
    expect(next_in_ms).toBeLessThanOrEqual(1_000)
    expect(await engine.schedule('report')).toMatchObject({ state: 'running', next_at: null })

    await engine.complete(held)
    await engine.pass('2 seconds')
    await engine.fire()

    const gap = `select extract(epoch from next_at - finished_at)::int from schedules, finished`
    expect(await engine.value(gap)).toBe(60)
    expect(await outcomes(engine)).toEqual(['fired'])
  })

  test('finished: fires one of several that are late, and skips what misfire says', async ({
    engine,
  }) => {
    await plan(engine, { drift: 'finished', misfire: 'skip' })
    await engine.pass('4 minutes 30 seconds')

    await engine.fire()

    expect(await outcomes(engine)).toEqual(['misfire', 'misfire', 'misfire', 'fired'])
    expect(await engine.rows('select from tasks')).toHaveLength(1)
  })

  test('finished: goes on when the task was not kept', async ({ engine }) => {
    await plan(engine, { drift: 'finished', task: { queue: 'mail', retention: '0' } })
    await nextTime(engine)
    await engine.complete(await engine.claimOne('mail'))
    await engine.pass('2 seconds')

    await engine.fire()

    expect(await engine.schedule('report')).toMatchObject({ state: 'planned' })
  })

  test('finished: keeps waiting when its settings change meanwhile', async ({ engine }) => {
    await plan(engine, { drift: 'finished' })
    await nextTime(engine)

    await plan(engine, { every: '5 minutes' })

    expect(await engine.schedule('report')).toMatchObject({ state: 'running', next_at: null })
  })
})
