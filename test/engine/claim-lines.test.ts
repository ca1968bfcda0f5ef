import { describe, expect } from 'vitest'
import { breachesIn, census, faultsIn } from '../support/books.ts'
import { all, crowd, range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import { test as judged } from '../support/limit-judge.ts'
import type { TestEngine } from '../support/test-engine.ts'

interface Taken {
  readonly id: string
  readonly claim: string
  readonly follows: boolean
  readonly payload: number
}

/** As a worker claims: so many to start, and so many that follow. */
const take = (engine: TestEngine, limit: number, line: number, queues = '{mail}') =>
  engine.rows<Taken>(
    `select id, claim, follows, payload from claim_queues($1, $2, p_lease => '1 minute', p_line => $3)`,
    queues,
    limit,
    line,
  )

const running = (engine: TestEngine, group = 'g') =>
  engine.value<number>('select running from groups where name = $1', group)

const serial = async (engine: TestEngine, n: number, limit = 1) => {
  await engine.setGroup('g', { max_running: limit })
  await engine.enqueueMany(range(n).map((payload) => ({ queue: 'mail', groups: ['g'], payload })))
}

const held = ({ id, claim }: Taken) => ({ id, claim })

describe('a claim with a line', () => {
  test('takes along what stands next for a full group, in order, and counts one', async ({
    engine,
  }) => {
    await serial(engine, 6)

    const taken = await take(engine, 10, 3)

    expect(taken.map(({ payload, follows }) => [payload, follows])).toEqual([
      [0, false],
      [1, true],
      [2, true],
      [3, true],
    ])
    expect(new Set(taken.map(({ claim }) => claim)).size).toBe(1)
    expect(await running(engine)).toBe(1)
    expect(
      await engine.rows('select state, count(*)::int as n from task group by 1 order by 1'),
    ).toEqual([
      { state: 'blocked', n: 5 },
      { state: 'running', n: 1 },
    ])
    expect(await engine.rows('select running, due from queue_stats')).toEqual([
      { running: 1, due: 5 },
    ])
    expect(await engine.claim('mail', { limit: 10 })).toEqual([])
    expect(await breachesIn(engine)).toEqual([])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('takes nothing along unless it is asked to', async ({ engine }) => {
    await serial(engine, 3)

    expect(await take(engine, 10, 0)).toHaveLength(1)
  })

  test('passes the slot on as its tasks end, and gives it back with the last', async ({
    engine,
  }) => {
    await serial(engine, 5)
    const [first, second, third] = (await take(engine, 10, 2)) as [Taken, Taken, Taken]

    await engine.completeMany([held(first)])
    expect(await running(engine)).toBe(1)
    expect(await engine.claim('mail')).toEqual([])
    expect(await engine.value('select state from task where id = $1', second.id)).toBe('running')

    await engine.completeMany([held(second), held(third)])
    expect(await running(engine)).toBe(0)
    expect((await engine.claim('mail', { limit: 5 })).map(({ payload }) => payload)).toEqual([3])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('keeps its slot when a task of it fails, and the others go on', async ({ engine }) => {
    await serial(engine, 4)
    const [first, second, third] = (await take(engine, 10, 2)) as [Taken, Taken, Taken]

    await engine.fail(held(first), { error: { message: 'no' }, delay: '1 hour' })
    expect(await running(engine)).toBe(1)
    await engine.fail(held(third), { error: { message: 'no' }, retry: false })
    expect(await running(engine)).toBe(1)
    await engine.complete(held(second))

    expect(await running(engine)).toBe(0)
    expect((await engine.claim('mail', { limit: 5 })).map(({ payload }) => payload)).toEqual([3])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('gives back a follower without touching the slot, to its old place', async ({ engine }) => {
    await serial(engine, 4)
    const [first, second, third] = (await take(engine, 10, 2)) as [Taken, Taken, Taken]

    await engine.release([held(second), held(third)])
    expect(await running(engine)).toBe(1)
    expect(await engine.claim('mail')).toEqual([])
    await engine.complete(held(first))

    const order: unknown[] = []
    for (let n = 0; n < 3; n++) {
      const next = await engine.claim('mail', { limit: 5 })
      order.push(...next.map(({ payload }) => payload))
      await engine.completeMany(next)
    }
    expect(order).toEqual([1, 2, 3])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('is cancelled task by task: the slot stays as long as one is left', async ({ engine }) => {
    await serial(engine, 3)
    const taken = await take(engine, 10, 2)
    const counts: (number | null)[] = []
    for (const { id } of [taken[1], taken[0], taken[2]].filter((task) => task !== undefined)) {
      await engine.rows('select cancel($1::bigint)', id)
      counts.push(await running(engine))
    }

    expect(counts).toEqual([1, 1, 0])
    expect(await census(engine)).toEqual({ cancelled: 3 })
    expect(await faultsIn(engine)).toEqual([])
  })

  test('goes back whole when its worker is lost', async ({ engine }) => {
    await serial(engine, 5)
    const taken = await take(engine, 10, 3)
    await engine.rows('update claims set expires_at = claimed_at')

    await engine.rescue()

    expect(await running(engine)).toBe(0)
    expect(await engine.completeMany(taken.map(held))).toEqual([])
    expect(await census(engine)).toEqual({ queued: 5 })
    expect(await faultsIn(engine)).toEqual([])
    await engine.rows(`select move(id, '2000-01-01') from task`)
    expect(await engine.claim('mail', { limit: 5 })).toHaveLength(1)
  })

  test('shares its line among the slots of a larger limit', async ({ engine }) => {
    await serial(engine, 8, 3)
    const taken = await take(engine, 10, 4)
    expect(taken.map(({ follows }) => follows)).toEqual([
      ...[false, false, false],
      ...[true, true, true, true],
    ])

    await engine.completeMany(taken.slice(1, 3).map(held))
    expect(await running(engine)).toBe(3)
    await engine.completeMany([...taken.slice(0, 1), ...taken.slice(3)].map(held))
    expect(await running(engine)).toBe(0)
    expect(await faultsIn(engine)).toEqual([])
  })

  test.for([
    ['has a deadline', { deadline: new Date(Date.now() + 3_600_000) }],
    ['is of another queue', { queue: 'push' }],
    ['is in another group too', { groups: ['g', 'h'] }],
    ['comes with a limit of its own', { maxRunning: 1 }],
    ['is for a handler that the worker does not have', { handler: 'other' }],
    ['frees its key when it starts', { key: 'k', freesKey: true }],
  ] as const)('leaves a task that %s', async ([, special], { engine }) => {
    await engine.setGroup('g', { max_running: 1 })
    await engine.enqueue({ queue: 'mail', groups: ['g'] })
    await engine.enqueue({ queue: 'mail', groups: ['g'], ...special } as never)
    // A claim that meets the second parks it.
    const before = await engine.claim('mail', { limit: 10 })
    const push = await engine.claim('push', { limit: 10 })
    expect([...before, ...push]).toHaveLength(1)
    await engine.release(before)
    await engine.rows(`update tasks set parked_on = 'g' where id <> $1`, before[0]?.id)

    const taken = await engine.rows<Taken>(
      `select id, follows from claim_queues('{mail,push}', 10, p_handlers => '{mail,push}', p_versions_from => '{1,1}',
         p_versions_to => '{9,9}', p_line => 10)`,
    )

    expect(taken.map(({ follows }) => follows)).toEqual([false])
  })

  test.for([
    ['a gap', { gap: '1 hour' }],
    ['a rate', { rate: 10, rate_window: '1 hour' }],
  ] as const)('leaves the tasks of a group with %s', async ([, limits], { engine }) => {
    await engine.setGroup('g', { max_running: 1, ...limits })
    await engine.enqueueMany(range(4).map((payload) => ({ queue: 'mail', groups: ['g'], payload })))

    expect(await take(engine, 10, 10)).toHaveLength(1)
  })

  test('has no line in a queue that counts its tasks, or is fair', async ({ engine }) => {
    await serial(engine, 3)
    await engine.setQueue('mail', { max_running: 10 })
    const taken = await take(engine, 10, 10)
    expect(taken).toHaveLength(1)
    await engine.completeMany(taken.map(held))
    await engine.setQueue('fair', { is_fair: true })
    await engine.enqueueMany(range(3).map(() => ({ queue: 'fair', groups: ['h'], maxRunning: 1 })))

    expect(await take(engine, 1, 10, '{fair}')).toHaveLength(1)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('follows its queue into fairness, and its limit when the queue gets one', async ({
    engine,
  }) => {
    await serial(engine, 4)
    const taken = await take(engine, 10, 2)
    await engine.setQueue('mail', { is_fair: true })
    await engine.setQueue('mail', { max_running: 5 })
    expect(await faultsIn(engine)).toEqual([])

    await engine.completeMany(taken.slice(0, 2).map(held))
    expect(await faultsIn(engine)).toEqual([])
    await engine.completeMany(taken.slice(2).map(held))
    expect(await faultsIn(engine)).toEqual([])
    expect(await running(engine)).toBe(0)
  })
})

/** From the front or from the back, with ends of all kinds. */
async function endInParts(member: TestEngine, n: number, taken: readonly Taken[]): Promise<void> {
  const [first, ...others] = n % 2 === 0 ? taken : taken.toReversed()
  if (first === undefined) return
  if (Number(first.id) % 3 === 0) await member.fail(held(first), { delay: '0 s' })
  else await member.completeMany([held(first)])
  if (n === 1) await member.release(others.map(held))
  else await member.completeMany(others.map(held))
}

describe('claims with lines beside one another', () => {
  judged('never run more of a group than its limit', async ({ engine, connect, judge }) => {
    for (const [group, limit] of [
      ['a', 1],
      ['b', 2],
    ] as const) {
      await engine.setGroup(group, { max_running: limit })
      await engine.enqueueMany(range(80).map(() => ({ queue: 'mail', groups: [group] })))
    }
    const members = await crowd(engine, connect, 4)

    await all(members, async (member, n) => {
      for (let idle = 0; idle < 20; ) {
        const taken = await take(member, 3, 6)
        idle = taken.length === 0 ? idle + 1 : 0
        await endInParts(member, n, taken)
      }
    })

    expect((await judge()).breaches).toEqual([])
    expect(await faultsIn(engine)).toEqual([])
    await engine.rows(`select move(id, '2000-01-01') from task where state = 'retrying'`)
    for (let left = 1; left > 0; ) {
      const taken = await take(engine, 10, 10)
      await engine.completeMany(taken.map(held))
      left = taken.length
    }
    expect(
      await engine.value(`select count(*)::int from task where state in ('done', 'failed')`),
    ).toBe(160)
  })
})
