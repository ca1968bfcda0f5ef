import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const counts = 'select state, count::integer, exact, estimated from count_states($1, $2, $3)'

interface StateCount {
  readonly state: string
  readonly count: number
  readonly exact: boolean
  readonly estimated: boolean
}

async function countStates(
  engine: TestEngine,
  filter: object,
  cap = 10_000,
  within = '10 s',
): Promise<Partial<Record<string, StateCount>>> {
  const rows = await engine.rows<StateCount>(counts, JSON.stringify(filter), cap, within)
  return Object.fromEntries(rows.map((row) => [row.state, row]))
}

/** So many that ended, as the verbs would have left them, counters included. */
async function ended(engine: TestEngine, state: string, count: number): Promise<void> {
  await engine.rows(
    `insert into finished (id, created_at, run_at, finished_at, keep_until, iteration, priority, version, attempt, state,
                           reason, kind, queue, handler, submitted_by, payload)
     select nextval('task_ids'), now(), now(), now(), now() + interval '7 days', 0, 0, 1, 1, $1,
            case when $1 <> 'done' then 'error' end, 'handler', 'mail', 'mail', 'test', '{}'
     from generate_series(1, $2::int)`,
    state,
    count,
  )
  await engine.rows(
    `insert into deltas (queue, enqueued, ${state}) values ('mail', $1::int, $1::int)`,
    count,
  )
}

describe('count_states', () => {
  test('counts every state at once, each for itself', async ({ engine }) => {
    for (const state of ['queued', 'running', 'done', 'failed', 'cancelled'] as const) {
      await engine.inState(state)
    }
    const again = await engine.running({ queue: 'post', maxAttempts: 2 })
    await engine.fail(again, null, { delay: '1 hour' })
    await engine.enqueueMany([{ queue: 'post', runAt: new Date('2100-01-01') }])

    const reported = await countStates(engine, {})

    const states = ['scheduled', 'retrying', 'ready', 'running', 'done', 'failed', 'cancelled']
    const one = { count: 1, exact: true, estimated: false }
    expect(reported).toEqual({
      ...Object.fromEntries(states.map((state) => [state, { state, ...one }])),
      blocked: { state: 'blocked', ...one, count: 0 },
      waiting: { state: 'waiting', ...one, count: 0 },
    })
  })

  test('tells what is blocked from what is ready', async ({ engine }) => {
    await engine.enqueueMany([{ queue: 'a' }, { queue: 'b' }, { queue: 'b' }])
    await engine.rows(`select pause('b')`)

    const { ready, blocked } = await countStates(engine, {})

    expect([ready?.count, blocked?.count]).toEqual([1, 2])
  })

  test('counts what matches a filter, and the states that it names', async ({ engine }) => {
    await engine.enqueueMany([{ queue: 'a' }, { queue: 'b' }, { queue: 'a' }])

    const reported = await countStates(engine, { queue: 'a', states: ['ready', 'done'] })

    expect(reported).toEqual({
      ready: { state: 'ready', count: 2, exact: true, estimated: false },
      done: { state: 'done', count: 0, exact: true, estimated: false },
    })
  })

  test('stops at the cap of a state, and says so', async ({ engine }) => {
    await engine.enqueueMany([{ queue: 'a' }, { queue: 'a' }, { queue: 'a' }])

    const { ready, scheduled } = await countStates(engine, { handler: 'a' }, 2)

    expect(ready).toEqual({ state: 'ready', count: 2, exact: false, estimated: false })
    expect(scheduled).toMatchObject({ count: 0, exact: true })
  })

  test('takes from counters how many have ended, when they are many', async ({ engine }) => {
    await ended(engine, 'done', 1_500)
    await ended(engine, 'failed', 20)

    for (const filter of [{}, { queue: 'mail' }]) {
      const { done, failed, cancelled } = await countStates(engine, filter)

      expect(done).toEqual({ state: 'done', count: 1_500, exact: false, estimated: true })
      expect(failed).toMatchObject({ count: 20, exact: true })
      expect(cancelled).toMatchObject({ count: 0, exact: true })
    }
  })

  test('still tells it when the counters were folded', async ({ engine }) => {
    await ended(engine, 'failed', 1_200)
    await engine.rows('select roll_up()')

    const { failed, cancelled } = await countStates(engine, { queue: 'mail' })

    expect(failed).toMatchObject({ count: 1_200, estimated: true })
    expect(cancelled?.count).toBe(0)
  })

  test('counts what has ended where a filter asks for more than a queue', async ({ engine }) => {
    await ended(engine, 'done', 1_500)

    const { done } = await countStates(engine, { handler: 'mail' })

    expect(done).toEqual({ state: 'done', count: 1_500, exact: true, estimated: false })
  })

  test('refuses a cap or a time with which nothing can be counted', async ({ engine }) => {
    await expect(countStates(engine, {}, 0)).rejects.toMatchObject({ code: 'invalid_argument' })
    await expect(countStates(engine, {}, 1, '-1 s')).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    await expect(countStates(engine, { nothing: 1 })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })
})
