import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { member, range } from '../support/crowd.ts'
import { until } from '../support/until.ts'
import { signalled, test } from '../support/worker.ts'

const doneOf = (kind: string) =>
  `select count(*)::int from task where state = 'done' and payload = '"${kind}"'`

describe('a worker whose reports meet a transaction that stays open', () => {
  test.for([
    ['the row of a group', `select set_group('held', '{"max_running": 1000}')`],
    ['the rows of tasks', `select from tasks where payload = '"blocked"' for update`],
    ['the keys of tasks', `select from keys where key like 'blocked%' for update`],
  ] as const)(
    'stores the outcomes of all other tasks, and of the blocked ones after it: %s',
    { timeout: 300_000 },
    async ([, lock], { engine, connect, work, allDone }) => {
      const blocked = 7
      const others = 100
      let started = 0
      const open = signalled()
      await engine.enqueueMany([
        ...range(blocked).map((n) => ({
          queue: 'mail',
          payload: 'blocked',
          groups: ['held'],
          key: `blocked ${n}`,
        })),
        ...range(others).map((n) => ({
          queue: 'mail',
          payload: 'other',
          groups: n % 2 === 0 ? ['free'] : undefined,
        })),
      ])
      await work({
        tasks: {
          mail: async () => {
            started += 1
            await open.promise
          },
        },
        concurrency: blocked + others,
        leaseMs: 10_000,
      })
      await until(async () => started === blocked + others)
      const operator = await member(engine, connect)
      await operator.rows('begin')
      await operator.rows(lock)

      // They end together, so that they are reported together.
      open.resolve()
      await until(async () => (await engine.value(doneOf('other'))) === others)

      // So is what comes later.
      await engine.enqueueMany(range(20).map(() => ({ queue: 'mail', payload: 'late' })))
      await until(async () => (await engine.value(doneOf('late'))) === 20)
      expect(await engine.value(doneOf('blocked'))).toBe(0)

      await operator.rows('rollback')
      await allDone()
      expect(await engine.value(doneOf('blocked'))).toBe(blocked)
      expect(await engine.value('select max(attempt) from finished')).toBe(1)
      expect(await faultsIn(engine)).toEqual([])
    },
  )

  test('keeps the leases of blocked tasks and stores their outcomes while it stops', {
    timeout: 300_000,
  }, async ({ engine, connect, work, said }) => {
    const open = signalled()
    const started = signalled()
    await engine.enqueueMany([
      { queue: 'mail', payload: 'blocked', groups: ['held'] },
      { queue: 'mail', payload: 'failing', groups: ['held'], maxAttempts: 1 },
      { queue: 'mail', payload: 'other' },
    ])
    let count = 0
    const worker = await work({
      tasks: {
        mail: async (payload: unknown) => {
          count += 1
          if (count === 3) started.resolve()
          await open.promise
          if (payload === 'failing') throw new Error('no')
        },
      },
      leaseMs: 3_000,
      chores: false,
    })
    await started.promise
    const operator = await member(engine, connect)
    await operator.rows('begin')
    await operator.rows(`select set_group('held', '{"max_running": 1000}')`)
    open.resolve()
    await until(async () => (await engine.value(doneOf('other'))) === 1)
    // Longer than a lease: heartbeats renew what cannot be reported yet.
    await until(() =>
      engine.value(`select clock_timestamp() > min(claimed_at) + interval '5 seconds' from claims`),
    )
    expect(await engine.rescue()).toEqual([])

    const stopped = worker.stop()
    await until(async () => said.some((line) => line.startsWith('the worker is stopping')))
    await operator.rows('commit')
    await stopped

    expect(await engine.rows('select payload, state, attempt from finished order by id')).toEqual([
      { payload: 'blocked', state: 'done', attempt: 1 },
      { payload: 'failing', state: 'failed', attempt: 1 },
      { payload: 'other', state: 'done', attempt: 1 },
    ])
    expect(said.filter((line) => line.includes('could not be reported'))).toEqual([])
    expect(await faultsIn(engine)).toEqual([])
  })
})
