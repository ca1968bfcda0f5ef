import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { member, range } from '../support/crowd.ts'
import { until } from '../support/until.ts'
import { signalled, test } from '../support/worker.ts'

const alike = (n: number) => range(n).map((payload) => ({ queue: 'mail', payload }))

describe('a worker with packs', () => {
  test('runs each task once, in order, and keeps the pack as one row', async ({
    engine,
    work,
    allDone,
  }) => {
    await engine.enqueueMany(alike(500))
    const ran: number[] = []
    await work({
      tasks: {
        mail: (n: number) => {
          ran.push(n)
          return n % 7 === 0 ? undefined : { n }
        },
      },
    })
    await allDone()

    expect(ran).toEqual(range(500))
    expect(await engine.value('select max(size) from finished')).toBeGreaterThan(1)
    expect(await engine.rows('select payload, output from task order by id')).toEqual(
      range(500).map((n) => ({ payload: n, output: n % 7 === 0 ? null : { n } })),
    )
  })

  test('reports the tasks beside one that fails, and tries only that one again', async ({
    engine,
    work,
  }) => {
    await engine.setQueue('mail', { backoff: { kind: 'fixed', base: '1 hour' } })
    await engine.enqueueMany(alike(20))
    await work({
      tasks: {
        mail: (n: number) => {
          if (n === 11) throw new Error('no')
        },
      },
    })
    await until(
      async () =>
        (await engine.value(`select count(*)::int from task where state = 'done'`)) === 19,
    )
    await until(
      async () =>
        (await engine.value(`select state from task where payload = '11'`)) === 'retrying',
    )

    expect(await engine.rows('select task, reason from attempt')).toHaveLength(1)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('stores what is done of a pack while another task of it runs on', async ({
    engine,
    work,
    allDone,
  }) => {
    const open = signalled()
    await engine.enqueueMany(alike(10))
    await work({
      tasks: { mail: (n: number) => (n === 4 ? open.promise : undefined) },
      concurrency: 10,
    })
    await until(
      async () => (await engine.value(`select count(*)::int from task where state = 'done'`)) === 9,
    )

    expect(await engine.value(`select state from task where payload = '4'`)).toBe('running')
    open.resolve()
    await allDone()
    expect(await engine.value('select max(attempt) from task')).toBe(1)
  })

  test('loses no task of a pack of which an operator holds one in an open transaction', async ({
    engine,
    connect,
    work,
    allDone,
  }) => {
    const open = signalled()
    let started = 0
    const [target] = await engine.enqueueMany(alike(10))
    await work({
      tasks: {
        mail: async () => {
          started += 1
          await open.promise
        },
      },
      concurrency: 10,
      leaseMs: 3_000,
    })
    await until(async () => started === 10)
    const operator = await member(engine, connect)
    await operator.rows('begin')
    await operator.rows('select cancel($1)', target?.id)
    open.resolve()
    // Longer than a lease: heartbeats renew what cannot be reported yet.
    await until(() =>
      engine.value(`select clock_timestamp() > min(claimed_at) + interval '5 seconds' from claims`),
    )
    expect(await engine.rescue()).toEqual([])
    await operator.rows('commit')
    await allDone()

    expect(
      await engine.rows(
        'select state, count(*)::int as n, max(attempt) as most from task group by 1 order by 1',
      ),
    ).toEqual([
      { state: 'cancelled', n: 1, most: 1 },
      { state: 'done', n: 9, most: 1 },
    ])
    expect(await faultsIn(engine)).toEqual([])
  })
})
