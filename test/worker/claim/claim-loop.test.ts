import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ClaimedRow } from '../../../src/engine/claim-batch.ts'
import { Bell } from '../../../src/lib/bell.ts'
import { ClaimLoop } from '../../../src/worker/claim/claim-loop.ts'
import { type Claim, Claimer } from '../../../src/worker/claim/claimer.ts'
import { IdleWait } from '../../../src/worker/claim/idle-wait.ts'
import { QueueOrder } from '../../../src/worker/claim/queue-order.ts'
import type { TaskNews } from '../../../src/worker/events/task-news.ts'
import type { Executor } from '../../../src/worker/run/executor.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof import('node:timers/promises')>()
  return { ...timers, setTimeout: vi.fn(timers.setTimeout) }
})

/** No timer ends a wait: what the loop does, it does because of a ring or an answer. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A loop over these queues; `answers` has what the coming claims find, and nothing after that. */
function openLoop(queues: readonly string[], room = 10) {
  const statements: string[] = []
  const answers: string[][] = []
  const asked: Parameters<Claim>[] = []
  const claim: Claim = async (...given) => {
    const [, , , { onDue }] = given
    statements.push(onDue ? 'claim and next_due' : 'claim')
    onDue?.(null)
    asked.push(given)
    const found = answers.shift() ?? []
    return found.map(
      (queue) => ({ queue, priority: 0, run_at: '2026-01-01 00:00:00+00' }) as ClaimedRow,
    )
  }
  const say = (statement: string) => async () => {
    statements.push(statement)
    return null
  }
  const idleWait = new IdleWait({
    sleep: say('sleep'),
    nextDue: say('next_due'),
    wake: async () => void statements.push('wake'),
    isListening: () => true,
    pollMs: 1_000,
  })
  const executor = { room, receive: () => {}, reserve: () => () => {}, roomMade: new Bell() }
  const loop = new ClaimLoop({
    claimer: new Claimer(queues, claim),
    order: new QueueOrder(
      queues.map((queue) => ({ queue, weight: 1 })),
      'weighted',
    ),
    executor: executor as unknown as Executor,
    idleWait,
    log: silent,
    news: { busy: () => {}, idle: () => {} } as unknown as TaskNews,
    holdsNothing: () => true,
  })
  const settle = async () => {
    for (let n = 0; n < 20; n++) await turn()
    return statements.splice(0)
  }
  return { loop, answers, asked, settle }
}

describe('the claim loop', () => {
  test('registers before it sleeps, and then looks once more', async () => {
    const { loop, settle } = openLoop(['mail'])
    loop.start()

    expect(await settle()).toEqual(['claim', 'sleep', 'claim'])
    await loop.stop()
  })

  test('takes one statement for a task that wakes it', async () => {
    const { loop, answers, settle } = openLoop(['mail', 'post'])
    loop.start()
    await settle()

    for (const queue of ['mail', 'post', 'mail']) {
      answers.push([queue])
      loop.ring()
      expect(await settle()).toEqual(['claim and next_due'])
    }
    await loop.stop()
  })

  test('asks for the next due time after a ring that led to no task', async () => {
    const { loop, settle } = openLoop(['mail'])
    loop.start()
    await settle()

    loop.ring()

    expect(await settle()).toEqual(['claim and next_due'])
    await loop.stop()
  })

  test('asks for nothing but tasks when it polls', async () => {
    const { loop, settle } = openLoop(['mail'])
    loop.start()
    await settle()

    await vi.advanceTimersByTimeAsync(1_200)

    expect(await settle()).toEqual(['claim'])
    await loop.stop()
  })

  test('looks again at once after a claim that was full', async () => {
    const { loop, answers, settle } = openLoop(['mail'], 2)
    loop.start()
    await settle()
    answers.push(['mail', 'mail'], ['mail', 'mail'], ['mail'])

    loop.ring()

    // The last two: one that may use hints, and one from the start before it sleeps.
    expect(await settle()).toEqual(['claim and next_due', 'claim', 'claim', 'claim and next_due'])
    await loop.stop()
  })

  test('does not pause after a claim that was full, however busy it is', async () => {
    const { loop, answers, settle } = openLoop(['mail'], 2)
    loop.start()
    await settle()
    vi.mocked(pause).mockClear()
    answers.push(...Array.from({ length: 200 }, () => ['mail', 'mail']))

    loop.ring()
    while (answers.length > 0) await settle()

    expect(pause).not.toHaveBeenCalled()
    await loop.stop()
  })

  test('asks all queues with one statement, in turn, and from the start before it sleeps', async () => {
    const names = Array.from({ length: 1_000 }, (_, n) => `q${n}`)
    const { loop, asked, settle } = openLoop(names)
    loop.start()

    expect(await settle()).toEqual(['claim', 'sleep', 'claim'])
    expect(asked.map(([on, limit]) => [on, limit])).toEqual(Array(2).fill(['claim', 10]))
    expect(asked.map(([, , queues]) => queues.length)).toEqual([1_000, 1_000])
    expect(asked.map(([, , queues]) => queues[0]?.queue)).toEqual(['q0', 'q1'])
    expect(asked.flatMap(([, , queues]) => queues.flatMap(({ hints }) => hints))).toEqual([])
    await loop.stop()
  })

  test('heeds rings without tasks only now and then', async () => {
    const { loop, settle } = openLoop(['mail'])
    loop.start()
    await settle()
    for (let n = 0; n < 20; n++) {
      loop.ring()
      expect(await settle()).toEqual(['claim and next_due'])
    }

    loop.ring()

    expect(await settle()).toEqual([])
    let heeded: string[] = []
    while (heeded.length === 0) heeded = await settle()
    expect(heeded).toEqual(['claim and next_due'])
    await loop.stop()
  })
})
