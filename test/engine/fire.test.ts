import { describe, expect } from 'vitest'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import { fireAll, outcomes, plan } from '../support/schedules.ts'

const repeated = (word: string, times: number) => range(times).map(() => word)

describe('fire', () => {
  test('makes a task of a planned time that has come, and not before', async ({ engine }) => {
    const next = await plan(engine)

    expect(await engine.fire()).toMatchObject({ processed: 0 })
    expect(await engine.rows('select from tasks')).toEqual([])

    await engine.pass('61 seconds')
    expect(await engine.fire()).toMatchObject({ processed: 1 })
    const planned = new Date((next?.getTime() ?? 0) - 61_000)
    expect(await engine.claimOne('mail')).toMatchObject({
      run_at: planned,
      meta: { schedule: 'report', planned_at: planned.toISOString() },
    })
    expect(await outcomes(engine)).toEqual(['fired'])
  })

  test('gives the template whole: any kind, options, and meta of its own', async ({ engine }) => {
    const task = {
      queue: 'post',
      kind: 'document',
      payload: { to: ['ada'] },
      priority: 7,
      tags: ['a', 'b'],
      groups: '{customer 42}',
      max_attempts: 2,
      meta: { tenant: 5 },
    }
    await plan(engine, { task })
    await engine.pass('61 seconds')

    await engine.fire()

    const [made] = await engine.rows(
      'select queue, kind, payload, priority, tags, groups, max_attempts, meta from task',
    )
    expect(made).toMatchObject({ ...task, groups: ['customer 42'], meta: { tenant: 5 } })
    expect(made).toMatchObject({ meta: { schedule: 'report' } })
  })

  test('tells when to come again: at the earliest planned time, or never', async ({ engine }) => {
    expect(await engine.fire()).toEqual({ processed: 0, next_in_ms: null })

    await plan(engine, { every: '1 hour' })
    await plan(engine, { every: '1 minute' }, 'sooner')

    const { next_in_ms } = await engine.fire()
    expect(next_in_ms).toBeGreaterThan(0)
    expect(next_in_ms).toBeLessThanOrEqual(60_000)
  })

  test('fires a single time once, and the schedule is over', async ({ engine }) => {
    await plan(engine, { at: '2100-01-01' })
    await engine.pass('100 years')

    await fireAll(engine)
    await fireAll(engine)

    expect(await outcomes(engine)).toEqual(['fired'])
    expect(await engine.schedule('report')).toMatchObject({ state: 'over', next_at: null })
    expect(await engine.fire()).toEqual({ processed: 0, next_in_ms: null })
  })

  test('starts and ends at the given times, both included', async ({ engine }) => {
    const [{ start, end } = {}] = await engine.rows<{ start: string; end: string }>(
      `select date_trunc('hour', now() + interval '2 hours')::text as start,
              date_trunc('hour', now() + interval '4 hours')::text as end`,
    )
    await plan(engine, { every: '1 hour', starts_at: start ?? '', ends_at: end ?? '' })
    await plan(engine, { cron: '@hourly', starts_at: start ?? '', ends_at: end ?? '' }, 'cron')

    const times = async (name: string) =>
      (await engine.previewSchedule(name, 10)).map(({ planned_at }) => planned_at.getTime())
    const expected = range(3).map((n) => new Date(start ?? '').getTime() + n * 3_600_000)

    expect(await times('report')).toEqual(expected)
    expect(await times('cron')).toEqual(expected)
  })

  test('puts a task off by its share of the jitter, the same for every caller', async ({
    engine,
  }) => {
    await plan(engine, { every: '1 second', jitter: '10 minutes', misfire_after: '1 hour' })
    await engine.pass('30 seconds')

    await engine.fire()

    const late = await engine.rows<{ ms: number; same: boolean }>(
      `select extract(epoch from o.run_at - o.planned_at)::float8 * 1000 as ms,
              o.run_at = occurrence_run_at(schedules, o.planned_at, o.planned_at) as same
       from occurrences as o join schedules on schedules.name = o.schedule`,
    )
    expect(late.length).toBeGreaterThanOrEqual(29)
    expect(late.every(({ ms, same }) => same && ms >= 0 && ms < 600_000)).toBe(true)
    expect(new Set(late.map(({ ms }) => ms)).size).toBeGreaterThan(20)
  })

  test('rolls back with its transaction, and nothing is lost', async ({ engine, connect }) => {
    await plan(engine)
    await engine.pass('61 seconds')
    const client = await connect()
    await client.query('begin')
    expect(await engine.on(client).fire()).toMatchObject({ processed: 1 })

    await client.query('rollback')

    expect(await outcomes(engine)).toEqual([])
    expect(await engine.fire()).toMatchObject({ processed: 1 })
    expect(await engine.rows('select from tasks')).toHaveLength(1)
  })
})

describe('a planned time that was missed', () => {
  test.for([
    ['is fired although late, within misfire_after', {}, '3 minutes 30 seconds', 3, 3],
    ['fires once: the newest of them', { misfire_after: '1 second' }, '5 minutes 30 seconds', 5, 1],
    ['is skipped', { misfire: 'skip', misfire_after: '1 second' }, '5 minutes 30 seconds', 5, 0],
    [
      'fires with all the others',
      { misfire: 'all', misfire_after: '1 second' },
      '5 minutes 30 seconds',
      5,
      5,
    ],
    [
      'fires with the newest, up to the cap',
      { misfire: 'all', catch_up: 2, misfire_after: '1 second' },
      '5 minutes 30 seconds',
      5,
      2,
    ],
  ] as const)('%s', async ([, settings, time, planned, fired], { engine }) => {
    await plan(engine, { misfire_after: '10 minutes', ...settings })
    await engine.pass(time)

    await fireAll(engine)

    expect(await outcomes(engine)).toEqual([
      ...repeated('misfire', planned - fired),
      ...repeated('fired', fired),
    ])
    expect(await engine.rows('select from tasks')).toHaveLength(fired)
  })

  test('does not keep those that are merely late from firing', async ({ engine }) => {
    await plan(engine, { misfire: 'skip', misfire_after: '2 minutes' })
    await engine.pass('5 minutes 30 seconds')

    await fireAll(engine)

    expect(await outcomes(engine)).toEqual([...repeated('misfire', 3), ...repeated('fired', 2)])
  })

  test('runs from now on, not before what waits already', async ({ engine }) => {
    await plan(engine, { misfire_after: '1 second' })
    await engine.pass('2 hours')

    await engine.fire()

    expect(await engine.value(`select run_at > now() - interval '1 minute' from tasks`)).toBe(true)
  })

  test('is accounted for over several calls, exactly, when there are very many', async ({
    engine,
  }) => {
    await plan(engine, { every: '1 second', misfire: 'all', catch_up: 7, misfire_after: '1 hour' })
    await engine.pass('26000 seconds')

    const calls = await fireAll(engine)

    expect(calls).toBeGreaterThan(2)
    const [counted] = await engine.rows(
      `select count(*)::int as planned, count(distinct planned_at)::int as distinct,
              count(*) filter (where reason = 'misfire')::int as missed,
              extract(epoch from max(planned_at) - min(planned_at))::int as seconds
       from occurrences`,
    )
    // Whatever time the calls took, an hour less 7 was late or caught up, and no second is missing.
    expect(counted).toMatchObject({ planned: (counted?.['seconds'] as number) + 1 })
    expect(counted).toMatchObject({ distinct: counted?.['planned'] })
    const fired = (counted?.['planned'] as number) - (counted?.['missed'] as number)
    expect(fired - 3_607).toBeGreaterThanOrEqual(-1)
    expect(await engine.value('select coalesce(sum(size), 0)::int from tasks')).toBe(fired)
  })

  test('of many schedules is dealt with in rounds, in which each has its share', async ({
    engine,
  }) => {
    for (const n of range(5)) await plan(engine, { every: '1 second' }, `schedule ${n}`)
    await engine.pass('3000 seconds')

    const { processed, next_in_ms } = await engine.fire()

    // A round that took all of them might take longer than its leader is trusted, and be undone for ever.
    expect(processed).toBeLessThanOrEqual(10_000)
    expect(next_in_ms).toBe(0)
    const shares = `select distinct count(*)::int as n from occurrences group by schedule`
    expect(await engine.rows(shares)).toEqual([{ n: 1_999 }])
    await fireAll(engine)
    const gaps = await engine.rows(
      `select schedule from occurrences group by schedule
       having count(*) <> extract(epoch from max(planned_at) - min(planned_at)) + 1 or count(*) < 2999`,
    )
    expect(gaps).toEqual([])
    expect(await engine.value('select count(distinct schedule)::int from occurrences')).toBe(5)
  })

  test('of very many fires the newest one only, and skips all others', async ({ engine }) => {
    await plan(engine, { every: '1 second', misfire_after: '1 second', ends_at: '2100-01-01' })
    await engine.pass('25000 seconds')
    await engine.rows(`update schedules set ends_at = now() - interval '60 seconds'`)

    await fireAll(engine)

    const [counted] = await engine.rows(
      `select count(*)::int as planned, array_agg(planned_at) filter (where outcome = 'fired') = array[max(planned_at)] as newest
       from occurrences`,
    )
    expect(counted).toMatchObject({ newest: true })
    expect(counted?.['planned']).toBeGreaterThan(24_900)
  })
})
