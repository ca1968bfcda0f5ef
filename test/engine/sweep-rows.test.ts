import { describe, expect } from 'vitest'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import { plansOf, rowsRead, tellPlans } from '../support/plans.ts'

describe('sweep and the single tasks of a day', () => {
  test('reads nothing of what has expired and waits for the rest of its day', async ({
    engine,
    connect,
  }) => {
    await engine.rows(`select prepare_days(now() - interval '9 days'), prepare_days(now())`)
    await engine.rows(
      `insert into finished (id, run_at, finished_at, keep_until, iteration, priority, version, attempt, state, kind,
                             created_at, queue, submitted_by, payload)
       select n, at, at, at + make_interval(days => case when n % 10 = 0 then 30 else 7 end), 0, 0, 1, 1, 'done',
              'handler', at, 'mail', 'test', '{}'
       from generate_series(1, 10000) as n
       cross join lateral (select now() - interval '7 days 1 hour' + n * interval '1 millisecond') as each (at)`,
    )
    await engine.rows('vacuum finished')
    // Days without tasks are dropped before anything else.
    await engine.sweep()
    const client = await connect()
    await tellPlans(client)

    const plans = await plansOf(client, () => engine.on(client).sweep())

    const read = plans.flatMap(({ nodes }) =>
      nodes
        .filter((node) => /^finished_/.test(node['Relation Name'] ?? ''))
        .map((node) => rowsRead(node)),
    )
    expect(Math.max(...read)).toBeLessThan(1_000)
    expect(await engine.value('select coalesce(sum(size), 0)::int from finished')).toBe(10_000)
  })

  test.for([
    ['outlived the rest of its day', '7 days', '8 days 2 hours'],
    ['was to be kept for hours', '2 hours', '3 hours'],
  ] as const)('removes a task of a day that %s', async ([, retention, age], { engine }) => {
    await engine.rows(
      `select prepare_days(now() - interval '10 days'), prepare_days(now() - interval '2 days')`,
    )
    const swept = await engine.running({ retention })
    const kept = await engine.running({ retention: '30 days' })
    await engine.complete(swept)
    await engine.complete(kept)
    await engine.pass(age)
    await engine.rows(`update finished set finished_at = (select max(finished_at) from finished)`)

    await engine.sweep()
    await engine.sweep()

    expect(await engine.rows('select id from finished')).toEqual([{ id: kept.id }])
  })

  test('counts a task once whose day was not prepared', async ({ engine }) => {
    for (const _ of range(4)) await engine.inState('done')
    await engine.rows(
      `update finished set keep_until = now() - case when id % 2 = 0 then interval '1 hour' else interval '2 days' end,
                           finished_at = now() - interval '9 days'`,
    )

    expect(await engine.rows('select tasks from sweep(3)')).toEqual([{ tasks: '3' }])
    expect(await engine.rows('select tasks from sweep(3)')).toEqual([{ tasks: '1' }])
  })

  test('goes on although a clock that was ahead has left tasks in a day to come', async ({
    engine,
  }) => {
    const { id } = await engine.inState('done')
    await engine.pass('8 days')
    const ahead = await engine.inState('done')
    await engine.rows(
      `update finished set finished_at = now() + interval '1 day' where id = $1`,
      ahead.id,
    )

    expect(await engine.sweep()).toMatchObject({ tasks: '1' })

    expect(await engine.task(id)).toBeNull()
    expect(await engine.task(ahead.id)).toMatchObject({ state: 'done' })
    expect(
      await engine.value('select tableoid::regclass::text from finished where id = $1', ahead.id),
    ).toBe('finished_default')
  })
})
