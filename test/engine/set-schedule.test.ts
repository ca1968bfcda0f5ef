import { describe, expect } from 'vitest'
import type { Json } from '../../src/engine/task.ts'
import { test } from '../support/engine.ts'
import { outcomes, plan } from '../support/schedules.ts'

describe('set_schedule', () => {
  test('plans by cron in a zone, by interval, and for a single time', async ({ engine }) => {
    const at = await plan(engine, { at: '2100-01-01 09:00', zone: 'Europe/Berlin' }, 'at')
    const cron = await plan(engine, { cron: '30 2 * * *', zone: 'Asia/Kolkata' }, 'cron')
    const every = await plan(engine, { every: '90 seconds' }, 'every')

    expect(at).toEqual(new Date('2100-01-01T08:00:00Z'))
    expect(cron?.toISOString()).toMatch(/T21:00:00.000Z$/)
    expect((every?.getTime() ?? 0) - Date.now()).toBeLessThan(120_000)
    expect(await engine.schedules()).toMatchObject([
      { name: 'at', at, state: 'planned', zone: 'Europe/Berlin', next_at: at },
      { name: 'cron', cron: '30 2 * * *', next_at: cron },
      { name: 'every', every: '00:01:30', next_at: every },
    ])
  })

  test('reads times without an offset in its zone, whatever the session’s', async ({
    engine,
    connect,
  }) => {
    const client = await connect()
    await client.query(`set timezone = 'America/New_York'`)
    const there = engine.on(client)

    await plan(there, { zone: 'Asia/Tokyo', cron: '@daily', starts_at: '2100-06-01 12:00' })
    await plan(there, { zone: 'Asia/Tokyo', at: '2100-06-01T12:00:00Z' }, 'utc')

    expect(await engine.schedules()).toMatchObject([
      { starts_at: new Date('2100-06-01T03:00:00Z') },
      { at: new Date('2100-06-01T12:00:00Z') },
    ])
    expect(await there.value('show timezone')).toBe('America/New_York')
  })

  test('changes what is named, keeps the rest, and puts defaults back with null', async ({
    engine,
  }) => {
    await plan(engine, { cron: '@daily', misfire: 'skip', jitter: '5 minutes', catch_up: 7 })

    await engine.setSchedule('report', { every: '2 hours', misfire: null })

    expect(await engine.schedule('report')).toMatchObject({
      cron: null,
      every: '02:00:00',
      misfire: 'once',
      jitter: '00:05:00',
      catch_up: 7,
      revision: 2,
      task: { queue: 'mail' },
    })
  })

  test('keeps the next time when nothing changes, so that a redeploy skips nothing', async ({
    engine,
  }) => {
    await plan(engine)
    await engine.pass('61 seconds')
    const before = await engine.rows('select * from schedules')

    await plan(engine)

    expect(await engine.rows('select * from schedules')).toEqual(before)
    await engine.fire()
    expect(await outcomes(engine)).toEqual(['fired'])
  })

  test('keeps the next time when only the task changes', async ({ engine }) => {
    const next = await plan(engine)

    const after = await engine.setSchedule('report', { task: { queue: 'mail', priority: 5 } })

    expect(after).toEqual(next)
  })

  test('goes on counting when only its end changes', async ({ engine }) => {
    await plan(engine)
    await engine.pass('30 seconds')
    const next = (await engine.schedule('report'))?.next_at

    await plan(engine, { ends_at: '2100-01-01' })

    expect((await engine.schedule('report'))?.next_at).toEqual(next)
  })

  test('settles what was due under the old times before it plans by the new', async ({
    engine,
  }) => {
    await plan(engine)
    await engine.pass('2 minutes 30 seconds')

    const next = await plan(engine, { every: '1 hour' })

    expect(await outcomes(engine)).toEqual(['fired', 'fired'])
    expect(next?.getTime()).toBeGreaterThan(Date.now() + 3_500_000)
  })

  test('writes down what an error kept from firing, when its times change', async ({ engine }) => {
    await plan(engine, { task: { queue: 'mail', payload: 'x'.repeat(500) } })
    await engine.setQueue('mail', { max_payload: 100 })
    await engine.pass('61 seconds')
    await engine.fire()

    await plan(engine, { every: '1 hour' })

    expect(await outcomes(engine)).toEqual(['error'])
    expect(await engine.schedule('report')).toMatchObject({ state: 'planned', error: null })
  })

  test('wakes the worker that fires', async ({ engine, connect, schema }) => {
    const client = await connect()
    const heard: (string | undefined)[] = []
    client.on('notification', ({ payload }) => heard.push(payload))
    await client.query(`listen "${schema}:schedules"`)
    const reported = engine.on(client)

    await plan(reported)
    await plan(reported)
    await reported.deleteSchedule('report')
    await client.query('select')

    expect(heard).toEqual(['report', 'report'])
  })

  test('holds two who make the same schedule at once to one', async ({ engine }) => {
    await Promise.all([1, 2, 3, 4].map(() => plan(engine)))

    expect(await engine.schedules()).toMatchObject([{ name: 'report', revision: 1 }])
  })

  const wrong: readonly [string, Json, string][] = [
    ['a name it does not know', { crn: '@daily' }, `unknown setting 'crn'`],
    ['no way to plan', { cron: null, every: null }, 'it needs one of cron, every and at'],
    ['two ways to plan', { cron: '@daily', at: '2100-01-01' }, 'more than one of cron'],
    ['an expression that cannot be read', { cron: '0 25 * * *' }, '25'],
    ['an expression that never comes', { cron: '0 0 31 2 *' }, '31 2'],
    ['a zone that does not exist', { cron: '@daily', zone: 'Mars/Olympus' }, 'Mars/Olympus'],
    ['an interval of nothing', { every: '0' }, '1 second'],
    ['a negative interval', { every: '-1 hour' }, 'negative'],
    ['an interval that is none', { every: 'often' }, 'often'],
    ['a time that is none', { at: 'soon' }, 'soon'],
    ['a time that is over', { at: '2020-01-01' }, 'no time left to come'],
    ['a time that never comes', { at: 'infinity' }, 'finite times'],
    ['an end before its first time', { ends_at: '2020-01-01' }, 'no time left to come'],
    ['an end before its start', { starts_at: '2100-01-02', ends_at: '2100-01-01' }, 'ends before'],
    ['another misfire', { misfire: 'twice' }, 'use once, skip or all'],
    ['another overlap', { overlap: 'wait' }, 'use allow, skip, queue or cancel'],
    ['another drift', { drift: 'away' }, 'use planned or finished'],
    ['drift finished without an interval', { cron: '@daily', drift: 'finished' }, 'needs every'],
    ['drift finished with misfire all', { drift: 'finished', misfire: 'all' }, 'misfire once'],
    ['a cap above a thousand', { catch_up: 1001 }, 'from 1 to 1000'],
    ['a cap of nothing', { catch_up: 0 }, 'from 1 to 1000'],
    ['a negative jitter', { jitter: '-1 second' }, 'jitter'],
    ['patience without end', { misfire_after: '10000 years' }, 'misfire_after must be 1000'],
    ['a memory without end', { keep: '10000 years' }, 'keep and misfire_after must be 1000'],
    ['a start before the calendar', { starts_at: '4714-11-24 00:00+00 BC' }, 'the years 4000 BC'],
    ['an end after it', { ends_at: '294276-12-31 00:00+00' }, 'the years 4000 BC'],
    ['no patience at all', { misfire_after: '0' }, 'misfire_after'],
    ['a task that is not an object', { task: 'mail' }, 'must be an object'],
    ['a task without a queue', { task: {} }, 'it has no queue'],
    ['a task with an unknown property', { task: { queue: 'mail', que: 1 } }, `'que'`],
    ['a task of a kind it does not know', { task: { queue: 'mail', kind: 'x' } }, `kind 'x'`],
    [
      'a task with a time of its own',
      { task: { queue: 'mail', run_at: 'now' } },
      'leave out run_at',
    ],
    ['a meta that is not an object', { task: { queue: 'mail', meta: [1] } }, 'meta'],
    [
      'two limits at once',
      { overlap: 'queue', task: { queue: 'mail', max_running: 5 } },
      'leave out max_running',
    ],
    ['a null as task', { task: null }, 'it needs a task'],
    ['settings that are not an object', [1], 'settings must be a JSON object'],
  ]
  test.for(wrong)('refuses %s, and changes nothing', async ([, settings, message], { engine }) => {
    await plan(engine)
    const before = await engine.rows('select * from schedules')

    await expect(engine.setSchedule('report', settings)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    })

    expect(await engine.rows('select * from schedules')).toEqual(before)
    expect(await engine.rows('select from tasks')).toEqual([])
  })

  test('asks whether another name was meant', async ({ engine }) => {
    await plan(engine)

    await expect(plan(engine, { crn: '@daily' })).rejects.toMatchObject({
      hint: expect.stringContaining('Did you mean cron?'),
    })
    await expect(engine.pauseSchedule('raport')).rejects.toMatchObject({
      code: 'schedule_not_found',
      hint: 'Did you mean report?',
    })
    await expect(engine.runSchedule('something else')).rejects.toMatchObject({
      code: 'schedule_not_found',
      hint: 'The view schedule lists them.',
    })
    await expect(engine.rows('select pause_schedule(null)')).rejects.toMatchObject({
      code: 'schedule_not_found',
    })
  })

  test.for([null, '', 'x'.repeat(201)])('refuses the name %j', async (name, { engine }) => {
    await expect(engine.setSchedule(name as string, {})).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })

  test('takes any other name, and does not confuse it with another', async ({ engine }) => {
    const name = `it's "quoted", %s $1; ünïcode`
    await plan(engine, { overlap: 'queue' }, name)
    await engine.pass('61 seconds')

    await engine.fire()

    expect(await outcomes(engine, name)).toEqual(['fired'])
    await engine.deleteSchedule(name)
    expect(await engine.schedules()).toEqual([])
  })
})

describe('delete_schedule', () => {
  test('takes the occurrences along, and leaves the tasks', async ({ engine }) => {
    await plan(engine, { overlap: 'queue' })
    await engine.pass('61 seconds')
    await engine.fire()

    await engine.deleteSchedule('report')

    expect(await engine.schedule('report')).toBeNull()
    expect(await engine.rows('select from occurrences')).toEqual([])
    expect(await engine.claim('mail')).toHaveLength(1)
  })
})
