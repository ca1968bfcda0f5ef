import { describe, expect } from 'vitest'
import { crowd, drain, range, watch } from '../../support/crowd.ts'
import type { TestEngine } from '../../support/test-engine.ts'
import { until } from '../../support/until.ts'
import { test } from './background.ts'

const queue = 'pg_background'

/** Claims all that may start now; gives the SQL of each. */
async function starts(engine: TestEngine): Promise<string[]> {
  const claimed = await engine.claim(queue, { limit: 100 })
  return claimed.map(({ payload }) => (payload as { sql: string }).sql)
}

describe('the limit of a topic', () => {
  test('is its own, or else that of all, and never stands in the way of others', async ({
    launch,
    ask,
    engine,
  }) => {
    await ask(
      `select pg_background_set_defaults('{"max_parallel_running_tasks_count": 2, "reserve": 0}')`,
    )
    await ask(`select pg_background_set_topic('mail', '{"max_parallel_running_tasks_count": 1}')`)
    for (const n of range(3)) await launch(`mail ${n}`, `65536, 'mail'`)
    for (const n of range(3)) await launch(`other ${n}`, `65536, 'other'`)
    for (const n of range(3)) await launch(`none ${n}`)

    expect(await starts(engine)).toEqual(['mail 0', 'other 0', 'other 1', 'none 0', 'none 1'])
    expect(await starts(engine)).toEqual([])
  })

  test('holds a task with several topics until each of them has room', async ({
    launch,
    ask,
    engine,
  }) => {
    await ask(`select pg_background_set_topic('mail', '{"max_parallel_running_tasks_count": 1}')`)
    await ask(`select pg_background_set_topic('slow', '{"max_parallel_running_tasks_count": 1}')`)
    await launch('mail', `65536, 'mail'`)
    await launch('both', `65536, 'mail', 'slow'`)
    await launch('slow', `65536, 'slow'`)
    const first = await engine.claim(queue, { limit: 10 })
    expect(first.map(({ payload }) => (payload as { sql: string }).sql)).toEqual(['mail', 'slow'])

    await engine.completeMany(first.slice(0, 1))
    expect(await starts(engine)).toEqual([])
    await engine.completeMany(first.slice(1))

    expect(await starts(engine)).toEqual(['both'])
  })

  test('of all together leaves the reserve for others', async ({ launch, ask, engine }) => {
    const total = Number(await ask('show max_worker_processes'))
    for (const n of range(total + 1)) await launch(`${n}`, `65536, 'topic ${n}'`)
    expect(await starts(engine)).toHaveLength(Math.floor(total / 2))

    await ask(`select pg_background_set_defaults('{"reserve": 1}')`)
    expect(await starts(engine)).toHaveLength(total - 1 - Math.floor(total / 2))

    expect(await ask('select max_workers from pg_background_stats()')).toBe(total - 1)
  })

  test('is not exceeded by eight who claim at once', async ({ ask, bg, engine, connect }) => {
    await ask(`select pg_background_set_defaults('{"reserve": 0}')`)
    await ask(`select pg_background_set_topic('a', '{"max_parallel_running_tasks_count": 3}')`)
    await ask(`select pg_background_set_topic('b', '{"max_parallel_running_tasks_count": 2}')`)
    await bg.query(`
      select pg_background_launch('a', 65536, 'a'), pg_background_launch('b', 65536, 'b'),
             pg_background_launch('ab', 65536, 'a', 'b')
      from generate_series(1, 60)`)
    const members = await crowd(engine, connect, 8)

    const seen = await watch(
      async () => [
        ...new Set(
          (
            await engine.rows<{ topic: string }>(
              `select topic from tasks, unnest(groups) as topic where claim is not null
               group by topic having count(*) > case topic when 'pg_background:a' then 3 when 'pg_background:b' then 2
                                                          else current_setting('max_worker_processes')::int end`,
            )
          ).map(({ topic }) => topic),
        ),
      ],
      drain(members, queue, { batch: () => 1 + Math.floor(Math.random() * 5) }),
    )

    expect(seen).toEqual([])
    expect(
      await ask(`select count(*)::int from pg_background_tasks where state = 'finished'`),
    ).toBe(180)
  })
})

describe('eight workers', () => {
  test('run as many statements of a topic at once as it allows, and no more', async ({
    ask,
    bg,
    workBackground,
  }) => {
    await ask(`select pg_background_set_defaults('{"reserve": 0}')`)
    await ask(`select pg_background_set_topic('two', '{"max_parallel_running_tasks_count": 2}')`)
    // No session gets past the gate before two have been seen at it.
    const gate = Number(process.hrtime.bigint() % 1_000_000_007n)
    const keeper = await bg.connect()
    await keeper.query('select pg_advisory_lock($1)', [gate])
    await bg.query(
      `select pg_background_launch('select pg_advisory_xact_lock_shared(${gate}), pg_sleep(0.02)', 65536, 'two')
       from generate_series(1, 24)`,
    )
    await Promise.all(range(8).map(() => workBackground({ concurrency: 2, chores: false })))
    let most = 0

    const look = async () => {
      const running = await ask<number>(
        `select count(*)::int from pg_stat_activity
         where state = 'active' and query like '%xact_lock_shared(' || $1 || ')%' and query not like '%launch%'
           and pid <> pg_backend_pid()`,
        gate,
      )
      most = Math.max(most, running)
      return most
    }
    await until(async () => (await look()) >= 2)

    await keeper.query('select pg_advisory_unlock($1)', [gate])
    keeper.release()
    await until(async () => {
      await look()
      return ask<boolean>(
        `select not exists (select from pg_background_tasks where closed_at is null)`,
      )
    })

    expect(most).toBe(2)
  })
})

describe('the delay of a topic', () => {
  test('lies between two starts, however many could claim', async ({ launch, ask, engine }) => {
    await ask(`select pg_background_set_topic('mail', '{"delay_in_sec": 5}')`)
    for (const n of range(2)) await launch(`mail ${n}`, `65536, 'mail'`)
    await launch('other', `65536, 'other'`)

    expect(await starts(engine)).toEqual(['mail 0', 'other'])
    await engine.pass('4 seconds')
    expect(await starts(engine)).toEqual([])
    await engine.pass('1 second')
    expect(await starts(engine)).toEqual(['mail 1'])
  })

  test('of all holds for topics without settings, each for itself', async ({
    launch,
    ask,
    engine,
  }) => {
    await ask(`select pg_background_set_defaults('{"delay_in_sec": 5}')`)
    await ask(`select pg_background_set_topic('quick', '{"delay_in_sec": 0}')`)
    for (const topic of ['new', 'other', 'quick'])
      for (const n of range(2)) await launch(`${topic} ${n}`, `65536, '${topic}'`)

    expect(new Set(await starts(engine))).toEqual(
      new Set(['new 0', 'other 0', 'quick 0', 'quick 1']),
    )

    await ask(`select pg_background_set_defaults('{"delay_in_sec": null, "reserve": 0}')`)
    expect(new Set(await starts(engine))).toEqual(new Set(['new 1', 'other 1']))
  })
})
