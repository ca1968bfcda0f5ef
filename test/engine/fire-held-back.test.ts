import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'
import { fireAll, outcomes, plan } from '../support/schedules.ts'

describe('a schedule that cannot fire', () => {
  test('says why, waits before it tries again, and does not stop the others', async ({
    engine,
  }) => {
    await plan(engine, { task: { queue: 'mail', payload: 'x'.repeat(500) } }, 'bad')
    await plan(engine, {}, 'good')
    await engine.setQueue('mail', { max_payload: 100 })
    await engine.pass('61 seconds')

    const { processed, next_in_ms } = await engine.fire()

    expect(processed).toBe(1)
    expect(next_in_ms).toBeGreaterThan(100)
    expect(await outcomes(engine, 'good')).toEqual(['fired'])
    expect(await outcomes(engine, 'bad')).toEqual([])
    expect(await engine.schedule('bad')).toMatchObject({
      state: 'failing',
      failures: 1,
      error: { code: 'TK005', message: expect.stringContaining('queue mail takes 100') },
    })
  })

  test('does not keep the others waiting for a key that a transaction holds', async ({
    engine,
    connect,
  }) => {
    await plan(engine, { task: { queue: 'mail', key: 'k' } }, 'a waits')
    await plan(engine, {}, 'b')
    await engine.pass('61 seconds')
    const client = await connect()
    await client.query('begin')
    await engine.on(client).enqueue({ queue: 'mail', key: 'k' })

    await fireAll(engine)

    expect(await outcomes(engine, 'b')).toEqual(['fired'])
    expect(await engine.schedule('a waits')).toMatchObject({ error: { code: '55P03' } })
    await client.query('rollback')
    await engine.rows(`update schedules set look_at = now() where name = 'a waits'`)
    await engine.fire()
    expect(await outcomes(engine, 'a waits')).toEqual(['fired'])
  })

  test('fires what it owes once it can', async ({ engine }) => {
    await plan(engine, { task: { queue: 'mail', payload: 'x'.repeat(500) } })
    await engine.setQueue('mail', { max_payload: 100 })
    await engine.pass('61 seconds')
    await engine.fire()

    await engine.setQueue('mail', { max_payload: null })
    await engine.rows(`update schedules set look_at = now()`)
    await engine.fire()

    expect(await outcomes(engine)).toEqual(['fired'])
    expect(await engine.schedule('report')).toMatchObject({
      state: 'planned',
      failures: 0,
      error: null,
    })
  })
})

describe('a paused schedule', () => {
  test('fires nothing and writes its times down; they stay skipped when it goes on', async ({
    engine,
  }) => {
    await plan(engine)
    await engine.pauseSchedule('report')
    await engine.pass('2 minutes 30 seconds')
    await engine.fire()
    await engine.pass('1 minute')

    await engine.resumeSchedule('report')
    await engine.fire()

    expect(await outcomes(engine)).toEqual(['paused', 'paused', 'paused'])
    await engine.pass('1 minute')
    await engine.fire()
    expect(await outcomes(engine)).toEqual(['paused', 'paused', 'paused', 'fired'])
  })

  test('is shown as such, and resuming what is not paused changes nothing', async ({ engine }) => {
    await plan(engine)
    await engine.pauseSchedule('report')
    const paused = await engine.schedule('report')
    await engine.pass('10 seconds')
    await engine.pauseSchedule('report')

    expect(paused).toMatchObject({ state: 'paused' })
    const since = `select paused_at < now() - interval '9 seconds' from schedules`
    expect(await engine.value(since)).toBe(true)
    await engine.resumeSchedule('report')
    await engine.resumeSchedule('report')
    expect(await engine.schedule('report')).toMatchObject({ state: 'planned', paused_at: null })
  })
})
