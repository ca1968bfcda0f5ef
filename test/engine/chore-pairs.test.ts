import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { candidates, take } from '../support/chores.ts'
import { all, crowd, range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'
import { until } from '../support/until.ts'
import { wearKeys } from '../support/worn.ts'

const many = 60

/** As many leaders at once as there are members; answers how much each did, until nothing is left. */
async function runAtOnce(
  members: readonly TestEngine[],
  chore: string,
  limit = 7,
): Promise<number> {
  const done = await all(members, async (member) => {
    let sum = 0
    for (;;) {
      const { processed } = await member.runChore(chore, { limit })
      sum += processed
      if (processed === 0) return sum
    }
  })
  return done.reduce((sum, n) => sum + n, 0)
}

describe('several leaders at once do what one would:', () => {
  test('rescue', async ({ engine, connect }) => {
    await engine.enqueueMany(range(many).map(() => ({ queue: 'mail' })))
    for (const _ of range(many / 5)) await engine.claim('mail', { limit: 5 })
    await engine.pass('1 minute')

    const done = await runAtOnce(await crowd(engine, connect, 4), 'rescue')

    expect(done).toBe(many)
    expect(await engine.value(`select count(*)::int from attempts where reason = 'lost'`)).toBe(
      many,
    )
    expect(await faultsIn(engine)).toEqual([])
  })

  test('expire', async ({ engine, connect }) => {
    const deadline = new Date(Date.now() + 3_600_000)
    await engine.enqueueMany(range(many).map(() => ({ queue: 'mail', deadline })))
    await engine.pass('2 hours')

    const done = await runAtOnce(await crowd(engine, connect, 4), 'expire')

    expect(done).toBe(many)
    expect(
      await engine.value(`select count(distinct id)::int from finished where reason = 'expired'`),
    ).toBe(many)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('sweep', async ({ engine, connect }) => {
    await engine.setQueue('mail', { keep_done: '1 minute' })
    const tasks = await engine.enqueueMany(range(many).map(() => ({ queue: 'mail' })))
    await engine.completeMany(await engine.claim('mail', { limit: many }))
    await engine.pass('1 hour')
    await engine.rows('select prepare_days(now())')

    const done = await runAtOnce(await crowd(engine, connect, 4), 'sweep')

    expect(done).toBe(tasks.length)
    expect(await engine.rows('select * from finished')).toEqual([])
  })

  test('roll_up', async ({ engine, connect }) => {
    for (const _ of range(many)) await engine.enqueue({ queue: 'mail' })

    const done = await runAtOnce(await crowd(engine, connect, 4), 'roll_up')

    expect(done).toBe(many)
    expect(await engine.value('select sum(enqueued)::int from totals')).toBe(many)
    expect(await engine.rows('select * from deltas')).toEqual([])
  })

  test('forget_workers', async ({ engine, connect }) => {
    await candidates(engine, ...range(20).map((n) => `worker ${n}`), 'alive')
    for (const n of range(20)) {
      await engine.reportChores(`worker ${n}`, [
        {
          chore: 'tidy',
          runs: 1,
          processed: 1,
          errors: 0,
          ago_ms: 0,
          last_ms: 1,
          total_ms: 1,
          max_ms: 1,
        },
      ])
    }
    await engine.rows(
      `update workers set beat_at = beat_at - interval '5 minutes' where id <> 'alive'`,
    )
    await engine.rows(`update chore_runs set last_run_at = last_run_at - interval '5 minutes'`)

    const done = await runAtOnce(await crowd(engine, connect, 4), 'forget_workers')
    await engine.runChore('forget_workers')

    expect(done).toBe(20)
    expect(await engine.rows('select id from workers')).toEqual([{ id: 'alive' }])
    expect(await engine.rows('select worker, runs from chore_runs')).toEqual([
      { worker: '', runs: '20' },
    ])
  })

  test('repair_limits', async ({ engine, connect }) => {
    await engine.setGroup('printer', { max_running: 5 })
    await engine.enqueueMany(range(10).map(() => ({ queue: 'mail', groups: ['printer'] })))
    await engine.claim('mail', { limit: 2 })
    await engine.rows(`update groups set running = 4 where name = 'printer'`)

    await all(await crowd(engine, connect, 4), (member) => member.runChore('repair_limits'))

    expect(await engine.value(`select running from groups where name = 'printer'`)).toBe(2)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('storage', async ({ engine, connect }) => {
    await all(await crowd(engine, connect, 4), (member) => member.runChore('storage'))

    expect(
      await engine.value(
        `select count(*)::int from pg_inherits where inhparent = 'finished'::regclass`,
      ),
    ).toBe(3)
  })

  test('fire', async ({ engine, connect }) => {
    await engine.rows(
      `select set_schedule('minutes', '{"task": {"queue": "mail"}, "every": "1 minute", "misfire": "all", "catch_up": 50}')`,
    )
    await engine.rows(
      `update schedules set next_at = next_at - interval '30 minutes', look_at = look_at - interval '30 minutes'`,
    )

    const done = await runAtOnce(await crowd(engine, connect, 4), 'fire')

    expect(done).toBeGreaterThanOrEqual(29)
    expect(await engine.value('select count(*)::int from occurrences')).toBe(done)
    expect(await engine.value('select coalesce(sum(size), 0)::int from tasks')).toBe(done)
  })
})

describe('wake', () => {
  test('rings those who sleep while a task has become due', async ({ engine, connect }) => {
    const client = await connect()
    const heard: string[] = []
    client.on('notification', ({ payload = '' }) => heard.push(payload))
    const schema = await engine.value<string>('select current_schema()')
    await engine.enqueue({ queue: 'mail' })
    await engine.enqueue({ queue: 'post' })
    await engine.rows(`select pause('post')`)
    expect(await engine.runChore('wake')).toMatchObject({ processed: 0 })

    await engine.sleep('ada', ['mail', 'post', 'empty'], 60_000)
    await client.query(`listen "${schema}:ready"`)
    await all(await crowd(engine, connect, 2), (member) => member.runChore('wake'))
    await client.query('select')

    expect(new Set(heard)).toEqual(new Set(['mail']))
  })

  test('does not ring for ever for what no worker can run', async ({ engine }) => {
    await engine.enqueue({ queue: 'mail' })
    await engine.sleep('ada', ['mail'], 600_000)
    expect(await engine.runChore('wake')).toMatchObject({ processed: 1 })

    await engine.rows(`update tasks set run_at = run_at - interval '1 minute'`)
    expect(await engine.runChore('wake')).toMatchObject({ processed: 0 })
  })
})

describe('run_chore', () => {
  test('does nothing for one who does not lead', async ({ engine }) => {
    await engine.registerChores(
      'ada',
      [{ name: 'expire', strategy: 'lease', everyMs: 1_000, timeoutMs: 1_000, ttlMs: 10_000 }],
      true,
    )
    await take(engine, 'ada', 'expire')
    await engine.enqueue({ queue: 'mail', deadline: new Date(Date.now() + 3_600_000) })
    await engine.pass('2 hours')
    const lost = { code: 'leadership_lost' }

    await expect(engine.runChore('expire', { worker: 'bob', term: 1n })).rejects.toMatchObject(lost)
    await expect(engine.runChore('expire', { worker: 'ada', term: 2n })).rejects.toMatchObject(lost)
    expect(await engine.runChore('expire', { worker: 'ada', term: 1n })).toMatchObject({
      processed: 1,
    })
  })

  test('tells when there will be more to do', async ({ engine }) => {
    expect(await engine.runChore('rescue')).toEqual({ processed: 0, next_in_ms: null })
    await engine.running({}, { lease: '10 seconds' })
    const { next_in_ms } = await engine.runChore('rescue')

    expect(next_in_ms).toBeGreaterThan(0)
    expect(next_in_ms).toBeLessThanOrEqual(10_000)
    await engine.enqueue({ queue: 'mail', deadline: new Date(Date.now() + 3_600_000) })
    const expiring = await engine.runChore('expire')
    expect(expiring.next_in_ms).toBeGreaterThan(3_000_000)
    expect(await engine.runChore('roll_up', { limit: 1 })).toEqual({ processed: 1, next_in_ms: 0 })
  })

  test('refuses chores and limits that make no sense', async ({ engine }) => {
    await expect(engine.runChore('dance')).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'there is no built-in chore dance',
    })
    await expect(engine.runChore('sweep', { limit: 0 })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    for (const verb of ['rescue', 'expire', 'fire', 'sweep', 'roll_up']) {
      await expect(engine.rows(`select ${verb}(-1)`)).rejects.toMatchObject({
        code: 'invalid_argument',
        message: 'the limit of a chore cannot be -1',
      })
    }
  })
})

describe('worn_tables', () => {
  test('names what has dead rows and no vacuum, to those who may', async ({ engine }) => {
    await wearKeys(engine, 3_000)
    const schema = await engine.value<string>('select current_schema()')
    const worn = (since = '0') =>
      engine.value<string | null>(
        `select worn_tables from worn_tables(2000, $1) where worn_tables like '%keys'`,
        since,
      )

    expect(await worn()).toBe(`${schema}.keys`)
    // By default 10,000 are needed. Other tables may have the dead rows of an earlier file.
    expect(await engine.wornTables()).not.toContain(`${schema}.keys`)
    // A transaction of another test may still see the rows, and then they stay; but it got its vacuum.
    await engine.rows('vacuum keys')
    await until(async () => (await worn('10 minutes')) === undefined)
  })
})
