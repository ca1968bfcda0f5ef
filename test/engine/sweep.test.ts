import { describe, expect } from 'vitest'
import { member, range, waitsForLock } from '../support/crowd.ts'
import { test } from '../support/engine.ts'

const days = `
  select relid::text as day from pg_partition_tree('finished') where isleaf order by relid::text`
const utcDay = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')

describe('sweep', () => {
  test.for(['done', 'failed', 'cancelled'] as const)(
    'removes a task that is %s when its retention is over',
    async (state, { engine }) => {
      const { id } = await engine.inState(state)
      await engine.pass('8 days')

      expect(await engine.sweep()).toMatchObject({ tasks: '1' })

      expect(await engine.task(id)).toBeNull()
      expect(await engine.rows('select from attempts')).toEqual([])
    },
  )

  test.for(['done', 'failed', 'cancelled'] as const)(
    'keeps a task that is %s until then',
    async (state, { engine }) => {
      const { id } = await engine.inState(state)
      await engine.pass('6 days')

      expect(await engine.sweep()).toMatchObject({ tasks: '0' })

      expect(await engine.task(id)).toMatchObject({ state })
    },
  )

  test.for(['queued', 'running'] as const)(
    'never touches a task that is %s',
    async (state, { engine }) => {
      const { id } = await engine.inState(state)
      await engine.pass('1000 days')

      expect(await engine.sweep()).toMatchObject({ tasks: '0' })

      expect(await engine.task(id)).not.toBeNull()
    },
  )

  test('goes by each outcome', async ({ engine }) => {
    await engine.setQueue('mail', { keep_done: '1 hour', keep_failed: '1 day' })
    await engine.inState('done')
    const failed = await engine.inState('failed')
    await engine.pass('2 hours')

    expect(await engine.sweep()).toMatchObject({ tasks: '1' })

    expect(await engine.rows('select id from task')).toEqual([{ id: failed.id }])
  })

  test('removes as many as it is asked for', async ({ engine }) => {
    for (let i = 0; i < 3; i++) await engine.inState('done')
    await engine.pass('8 days')

    expect(await engine.rows('select tasks from sweep(2)')).toEqual([{ tasks: '2' }])

    expect(await engine.rows('select tasks from sweep(2)')).toEqual([{ tasks: '1' }])
  })

  test('frees a key that was kept with the task', async ({ engine }) => {
    await engine.setQueue('pages', { keeps_keys: true })
    const task = await engine.running({ queue: 'pages', key: 'ada' })
    await engine.complete(task)
    await engine.pass('8 days')

    await engine.sweep()

    expect(await engine.rows('select from keys')).toEqual([])
    expect(await engine.enqueue({ queue: 'pages', key: 'ada' })).toMatchObject({
      outcome: 'created',
    })
  })

  test('forgets a throttled key when its window is over, and not before', async ({ engine }) => {
    const press = { key: 'k', onDuplicate: 'throttle', window: '1 minute' } as const
    await engine.complete(await engine.running(press))

    await engine.sweep()
    expect(await engine.rows('select from keys')).toHaveLength(1)

    await engine.pass('61 seconds')
    await engine.sweep()
    expect(await engine.rows('select from keys')).toEqual([])
  })

  test('keeps minutes for 2 days, ten minutes for 8 and hours for 90', async ({ engine }) => {
    const widths = async () =>
      (
        await engine.rows<{ width: number }>('select distinct width from counters order by width')
      ).map(({ width }) => width)
    await engine.complete(await engine.running())
    await engine.rows('select roll_up()')
    const kept = [await widths()]

    for (const time of ['3 days', '6 days', '82 days']) {
      await engine.pass(time)
      await engine.sweep()
      kept.push(await widths())
    }

    expect(kept).toEqual([[60, 600, 3600], [600, 3600], [3600], []])
    expect(await engine.queueTotals()).toMatchObject([{ queue: 'mail', done: 1 }])
  })

  test('forgets events after an hour, and groups without tasks and limits', async ({ engine }) => {
    await engine.setQueue('mail', { records_events: true })
    await engine.setGroup('limited', { max_running: 1 })
    await engine.complete(await engine.running({ groups: ['unlimited'] }))
    await engine.complete(await engine.running({ groups: ['limited'] }))
    await engine.pass('25 hours')

    await engine.sweep()

    expect(await engine.rows('select from events')).toEqual([])
    expect(await engine.rows('select group_name from group_stats')).toEqual([
      { group_name: 'limited' },
    ])
  })

  test('does not change how its caller waits for locks', async ({ engine, connect }) => {
    const client = await connect()
    await client.query('begin')

    await engine.on(client).sweep()

    expect(await engine.on(client).value('show lock_timeout')).toBe('0')
  })
})

describe('sweep and the days of finished', () => {
  test('prepares the coming days', async ({ engine }) => {
    await engine.sweep()

    expect(await engine.rows(days)).toEqual([
      { day: `finished_${utcDay(1)}` },
      { day: `finished_${utcDay(2)}` },
      { day: 'finished_default' },
    ])
  })

  test('prepares each day once', async ({ engine }) => {
    await engine.sweep()
    const prepared = await engine.rows(days)

    await engine.sweep()

    expect(await engine.rows(days)).toEqual(prepared)
  })

  test('drops a day when nothing in it is to be kept, with all that hangs on it', async ({
    engine,
  }) => {
    await engine.rows(`select prepare_days(now() - interval '9 days')`)
    await engine.setQueue('mail', { keeps_keys: true })
    const task = await engine.running({ key: 'ada' })
    await engine.kill(task)
    await engine.pass('7 days 12 hours')
    const day = await engine.value<string>('select tableoid::regclass::text from finished')
    expect(day).toMatch(/^finished_\d{8}$/)

    expect(await engine.sweep()).toEqual({ tasks: '0', days: 2 })

    for (const table of ['finished', 'attempts', 'keys']) {
      expect(await engine.rows(`select from ${table}`)).toEqual([])
    }
    expect(await engine.rows(days)).not.toContainEqual({ day })
  })

  test('clears a large day in rounds, and drops it after the last', async ({ engine }) => {
    await engine.rows(`select prepare_days(now() - interval '9 days'), prepare_days(now())`)
    await engine.setQueue('mail', { keeps_keys: true })
    const many = range(200).map((n) => ({ queue: 'mail', key: `k${n}`, payload: 'x'.repeat(500) }))
    const ids = (await engine.enqueueMany(many)).map(({ id }) => id)
    await engine.rows(`select cancel(id) from unnest($1::bigint[]) as id`, ids)
    await engine.rows(
      `insert into logs (task, attempt, level, message) select id, 1, 'info', 'a line' from unnest($1::bigint[]) as id`,
      ids,
    )
    await engine.pass('7 days 12 hours')
    // Days without tasks are dropped before the first round.
    await engine.runChore('sweep', { limit: 20 })
    const left = () =>
      engine.rows<{ keys: number; logs: number }>(
        `select (select count(*)::int from keys) as keys, (select count(*)::int from logs) as logs`,
      )

    expect(await engine.runChore('sweep', { limit: 20 })).toMatchObject({ next_in_ms: 0 })
    const [first] = await left()
    expect(first).toEqual({ keys: first?.logs, logs: expect.any(Number) })
    expect(first?.keys).toBeGreaterThan(0)
    expect(first?.keys).toBeLessThan(200)
    expect(await engine.value('select coalesce(sum(size), 0)::int from finished')).toBe(200)

    let rounds = 1
    for (; (await engine.value('select exists (select from finished)')) === true; rounds += 1) {
      await engine.runChore('sweep', { limit: 20 })
    }

    expect(rounds).toBeGreaterThan(2)
    expect(await left()).toEqual([{ keys: 0, logs: 0 }])
    expect(await engine.rows('select * from clearings')).toEqual([])
    expect(await engine.enqueue({ queue: 'mail', key: 'k1' })).toMatchObject({ outcome: 'created' })
  })

  test('clears a day while sessions go on ending tasks', async ({ engine, connect }) => {
    await engine.rows(`select prepare_days(now() - interval '9 days'), prepare_days(now())`)
    const many = range(200).map(() => ({ queue: 'mail', payload: 'x'.repeat(500) }))
    const ids = (await engine.enqueueMany(many)).map(({ id }) => id)
    await engine.rows(`select cancel(id) from unnest($1::bigint[]) as id`, ids)
    await engine.pass('7 days 12 hours')
    // Days without tasks are dropped before the first round.
    await engine.runChore('sweep', { limit: 20 })
    const sweeper = await member(engine, connect)
    await sweeper.rows('begin')
    await sweeper.runChore('sweep', { limit: 20 })

    const { id } = await engine.inState('done')
    // Another round at the same time leaves the day to the one that is at it.
    expect(await engine.runChore('sweep', { limit: 20 })).toMatchObject({ next_in_ms: null })

    expect(await engine.task(id)).toMatchObject({ state: 'done' })
    await sweeper.rows('commit')
  })

  test('keeps a day in which one task is still to be kept', async ({ engine }) => {
    await engine.rows(`select prepare_days(now() - interval '10 days')`)
    const kept = await engine.running({ retention: '30 days' })
    await engine.complete(kept)
    await engine.inState('done')
    await engine.pass('8 days 12 hours')
    await engine.rows(`update finished set finished_at = (select max(finished_at) from finished)`)

    await engine.sweep()

    expect(await engine.task(kept.id)).toMatchObject({ state: 'done' })
    expect(await engine.rows(days)).toHaveLength(4)
  })

  test('leaves a day alone that a session is reading, and drops it the next time', async ({
    engine,
    connect,
  }) => {
    await engine.rows(`select prepare_days(now() - interval '10 days')`)
    const reader = await connect()
    await reader.query('begin')
    await reader.query('select from finished')

    expect(await engine.sweep()).toMatchObject({ days: 0 })

    await reader.query('commit')
    expect(await engine.sweep()).toMatchObject({ days: 2 })
  })

  test('keeps a day to which a long transaction adds at the last moment', async ({
    engine,
    connect,
  }) => {
    await engine.rows(`select prepare_days(now() - interval '10 days')`)
    const { id } = await engine.inState('done')
    const late = await member(engine, connect)
    const sweeper = await member(engine, connect)
    await late.rows('begin')
    await late.rows(
      `update finished set finished_at = now() - interval '9 days', keep_until = now() + interval '1 day'`,
    )

    const swept = sweeper.sweep()
    // Should it lose patience unseen, the day is kept all the same.
    await Promise.race([waitsForLock(engine, sweeper).catch(() => {}), swept])
    await late.rows('commit')
    await swept

    expect(await engine.task(id)).toMatchObject({ state: 'done' })
  })
})
