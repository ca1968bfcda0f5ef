import { describe, expect } from 'vitest'
import { crowd } from '../support/crowd.ts'
import { test, testRoles } from '../support/engine.ts'
import { outcomes, plan } from '../support/schedules.ts'
import { until } from '../support/until.ts'

const denied = { code: '42501' }

describe('apply_schedules', () => {
  test('makes, changes and keeps, each as a whole', async ({ engine }) => {
    await engine.applySchedules({
      kept: { task: { queue: 'mail' }, every: '1 hour' },
      changed: { task: { queue: 'mail' }, every: '1 hour', misfire: 'skip' },
    })

    const applied = await engine.applySchedules({
      kept: { task: { queue: 'mail' }, every: '1 hour' },
      changed: { task: { queue: 'mail' }, every: '1 hour' },
      made: { task: { queue: 'mail' }, cron: '@daily' },
    })

    expect(applied).toEqual([
      { name: 'changed', outcome: 'changed' },
      { name: 'kept', outcome: 'kept' },
      { name: 'made', outcome: 'created' },
    ])
    expect(await engine.schedule('changed')).toMatchObject({ misfire: 'once' })
  })

  test('removes what is not named when it is asked to, and only then', async ({ engine }) => {
    await plan(engine)
    await engine.applySchedules({ made: { task: { queue: 'mail' }, cron: '@daily' } })
    expect(await engine.schedules()).toHaveLength(2)

    const applied = await engine.applySchedules({}, true)

    expect(applied).toEqual([
      { name: 'made', outcome: 'deleted' },
      { name: 'report', outcome: 'deleted' },
    ])
    expect(await engine.schedules()).toEqual([])
  })

  test('leaves a schedule paused that an operator paused', async ({ engine }) => {
    const settings = { report: { task: { queue: 'mail' }, every: '1 hour' } }
    await engine.applySchedules(settings)
    await engine.pauseSchedule('report')

    await engine.applySchedules({ report: { ...settings.report, jitter: '1 second' } })

    expect(await engine.schedule('report')).toMatchObject({ state: 'paused', jitter: '00:00:01' })
  })

  test('is all or nothing', async ({ engine }) => {
    const settings = { a: { task: { queue: 'mail' }, every: '1 hour' }, b: { every: '1 hour' } }

    await expect(engine.applySchedules(settings)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('schedule b'),
    })

    expect(await engine.schedules()).toEqual([])
  })
})

describe('a configuration with a time that lies behind', () => {
  const past = { report: { task: { queue: 'mail' }, at: '2020-01-01', misfire: 'once' } } as const

  test('is refused as a whole, unless its caller says otherwise', async ({ engine }) => {
    await expect(engine.applySchedules(past)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('report is invalid: it has no time left to come'),
    })

    expect(await engine.schedules()).toEqual([])
  })

  test('is over from the beginning: what did not exist was not missed', async ({ engine }) => {
    const ended = { task: { queue: 'mail' }, cron: '@hourly', ends_at: '2020-01-01' }
    const wanted = { ...past, ended, live: { task: { queue: 'mail' }, cron: '@daily' } }

    const applied = await engine.applySchedules(wanted, false, true)
    await engine.fire()

    expect(applied).toEqual([
      { name: 'ended', outcome: 'over' },
      { name: 'live', outcome: 'created' },
      { name: 'report', outcome: 'over' },
    ])
    expect(await engine.schedule('report')).toMatchObject({ state: 'over', next_at: null })
    expect(await outcomes(engine)).toEqual([])
    const again = await engine.applySchedules(wanted, false, true)
    expect(again.map(({ outcome }) => outcome)).toEqual(['kept', 'kept', 'kept'])
  })

  test('fires what was planned and missed before it is over', async ({ engine }) => {
    await plan(engine)
    await engine.pass('61 seconds')

    const applied = await engine.applySchedules(past, false, true)

    expect(applied).toEqual([{ name: 'report', outcome: 'over' }])
    expect(await outcomes(engine)).toEqual(['fired'])
    expect(await engine.fire()).toMatchObject({ processed: 0, next_in_ms: null })
  })

  test('can be made up for by hand', async ({ engine }) => {
    await engine.applySchedules(past, false, true)

    const filled = await engine.backfill('report', new Date('2019-12-31'), new Date('2020-01-02'))

    expect(filled).toMatchObject({ fired: 1 })
  })

  test('is planned again once it has a time to come', async ({ engine }) => {
    await engine.applySchedules(past, false, true)

    const next = await engine.setSchedule('report', { at: '2100-01-01T00:00:00Z' })

    expect(next).toEqual(new Date('2100-01-01'))
    expect(await engine.schedule('report')).toMatchObject({ state: 'planned' })
  })
})

describe('two that apply different configurations at once', () => {
  test('come one after the other', async ({ engine, connect }) => {
    const hourly = { task: { queue: 'mail' }, every: '1 hour' }
    const daily = { task: { queue: 'mail' }, every: '1 day' }
    await engine.applySchedules({ a: hourly, b: hourly })
    const [holder, one, other] = await crowd(engine, connect, 3)
    const waiting = (count: number) =>
      until(() =>
        engine.value(
          `select count(*) = $1 from pg_stat_activity
           where wait_event_type = 'Lock' and query like '%' || current_schema() || '%apply_schedules(%'`,
          count,
        ),
      )
    await holder?.rows('begin')
    await holder?.pauseSchedule('a')
    const first = one?.applySchedules({ a: daily }, true)
    await waiting(1)
    const second = other?.applySchedules({ b: daily }, true)
    await waiting(2)

    await holder?.rows('commit')

    expect(await first).toEqual([
      { name: 'a', outcome: 'changed' },
      { name: 'b', outcome: 'deleted' },
    ])
    expect(await second).toEqual([
      { name: 'b', outcome: 'created' },
      { name: 'a', outcome: 'deleted' },
    ])
  })
})

describe('the rights to a schedule', () => {
  test('are an operator’s; its tasks are the operator’s too, whichever role fires them', async ({
    engine,
    connect,
  }) => {
    const client = await connect()
    await client.query(`set role ${testRoles}_operator`)
    await plan(engine.on(client))
    await engine.pass('61 seconds')

    await client.query(`set role ${testRoles}_worker`)
    await engine.on(client).fire()

    expect(await engine.rows('select created_by, set_by from schedule')).toEqual([
      { created_by: `${testRoles}_operator`, set_by: `${testRoles}_operator` },
    ])
    expect(await engine.rows('select submitted_by from tasks')).toEqual([
      { submitted_by: `${testRoles}_operator` },
    ])
  })

  test('let SQL be planned by those who may run it, whichever role fires it', async ({
    engine,
    connect,
  }) => {
    const client = await connect()
    await client.query(`set role ${testRoles}_operator`)
    await plan(engine.on(client), {
      task: { queue: 'sql', kind: 'sql', payload: { sql: 'select 1' } },
    })
    await engine.pass('61 seconds')

    await client.query(`set role ${testRoles}_worker`)
    await engine.on(client).fire()

    expect(await outcomes(engine)).toEqual(['fired'])
  })

  test('keep a change from making it the plan of one who may not run it', async ({
    engine,
    connect,
  }) => {
    const payload = { sql: 'select 1', role: `${testRoles}_admin` }
    await plan(engine, { task: { queue: 'sql', kind: 'sql', payload } })
    const client = await connect()
    await client.query(`set role ${testRoles}_operator`)

    await expect(
      engine.on(client).setSchedule('report', { every: '5 minutes' }),
    ).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('may not have SQL run as'),
    })
    await engine.pass('61 seconds')
    await engine.fire()

    expect(await outcomes(engine)).toEqual(['fired'])
  })

  test('stay apart when many fire together', async ({ engine, connect }) => {
    const client = await connect()
    await client.query(`set role ${testRoles}_operator`)
    for (const name of ['a', 'b']) await plan(engine.on(client), {}, name)
    await client.query(`set role ${testRoles}_admin`)
    for (const name of ['c', 'd']) await plan(engine.on(client), {}, name)
    await engine.pass('61 seconds')

    expect(await engine.fire()).toMatchObject({ processed: 4 })

    const owners = await engine.rows(
      `select name, submitted_by as by from schedule join tasks on id = last_task order by name`,
    )
    expect(owners.map(({ by }) => by)).toEqual([
      ...[`${testRoles}_operator`, `${testRoles}_operator`],
      ...[`${testRoles}_admin`, `${testRoles}_admin`],
    ])
  })

  test('are not a producer’s or a worker’s', async ({ engine, connect }) => {
    const client = await connect()
    for (const role of ['producer', 'worker']) {
      await client.query(`set role ${testRoles}_${role}`)
      const there = engine.on(client)

      await expect(plan(there)).rejects.toMatchObject(denied)
      await expect(there.runSchedule('report')).rejects.toMatchObject(denied)
      await expect(there.schedules()).rejects.toMatchObject(denied)
    }
    await client.query(`set role ${testRoles}_producer`)
    await expect(engine.on(client).fire()).rejects.toMatchObject(denied)
  })

  test('cannot be borrowed by pretending to be a schedule', async ({ engine, connect }) => {
    await plan(engine)
    const client = await connect()
    await client.query(`set role ${testRoles}_producer`)
    const guess = '00000000-0000-4000-8000-000000000001'
    await client.query(`select set_config('tusk.acting_for', '${guess}report', false)`)

    await engine.on(client).enqueue({ queue: 'mail' })

    expect(await engine.rows('select submitted_by from tasks')).toEqual([
      { submitted_by: `${testRoles}_producer` },
    ])
  })
})
