import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** Random numbers that are the same for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Held {
  readonly id: string
  readonly claim: string
}

/** One of two queues that are dealt with in the same way: tasks are named by the place in which they were enqueued. */
class Side {
  readonly engine: TestEngine
  readonly queue: string
  readonly ids: string[] = []
  readonly held = new Map<number, Held>()

  constructor(engine: TestEngine, queue: string) {
    this.engine = engine
    this.queue = queue
  }

  async enqueue(n: number): Promise<void> {
    const tasks = range(n).map((more) => ({ queue: this.queue, payload: this.ids.length + more }))
    this.ids.push(...(await this.engine.enqueueMany(tasks)).map(({ id }) => id))
  }

  async claim(limit: number): Promise<unknown> {
    const claimed = await this.engine.claim(this.queue, { limit })
    for (const { id, claim, payload } of claimed) this.held.set(payload as number, { id, claim })
    return claimed.map(({ payload, attempt }) => [payload, attempt])
  }

  /** What an outsider sees of every task. */
  async seen(): Promise<unknown> {
    return this.engine.rows(
      `select payload, state, attempt, reason, output, error ->> 'message' as error, progress, meta
       from task where queue = $1 order by id`,
      this.queue,
    )
  }

  async counts(): Promise<unknown> {
    return this.engine.rows(
      `select running, due, later, max_running from queue_stats where queue = $1`,
      this.queue,
    )
  }

  /** Calls a verb for a task; a refusal is an answer too. */
  async try(place: number, call: (id: string, held: Held) => Promise<unknown>): Promise<unknown> {
    const id = this.ids[place] ?? '0'
    try {
      await call(id, this.held.get(place) ?? { id, claim: '0' })
      return 'done'
    } catch (error) {
      return (error as { code?: string }).code
    }
  }
}

type Move = (side: Side, dice: readonly number[]) => Promise<unknown>

const some = (side: Side, from: number, n: number) =>
  range(n).flatMap((more) => side.held.get(from + more) ?? [])

const moves: readonly Move[] = [
  (side, [n = 0]) => side.enqueue(1 + (n % 40)),
  (side, [n = 0]) => side.claim(1 + (n % 50)),
  (side, [n = 0]) => side.claim(1 + (n % 3)),
  async (side, [from = 0, n = 0]) => {
    const held = some(side, from, 1 + (n % 40))
    const done = await side.engine.completeMany(
      held,
      held.map((_, at) => (at % 3 === 0 ? null : { at })),
    )
    return done.length
  },
  async (side, [from = 0, n = 0]) =>
    (
      await side.engine.failMany(
        some(side, from, 1 + (n % 5)).map((held) => ({ ...held, error: { message: 'no' } })),
      )
    ).length,
  async (side, [from = 0, n = 0]) =>
    (await side.engine.release(some(side, from, 1 + (n % 5)))).length,
  (side, [at = 0]) => side.try(at, (_, held) => side.engine.complete(held, { one: true })),
  (side, [at = 0]) => side.try(at, (id) => side.engine.cancel(id)),
  (side, [at = 0]) => side.try(at, (id) => side.engine.delete(id)),
  (side, [at = 0]) => side.try(at, (id) => side.engine.retry(id)),
  (side, [at = 0]) => side.try(at, (id) => side.engine.amend(id, { meta: { amended: at } })),
  (side, [at = 0]) => side.try(at, (_, held) => side.engine.progress(held, JSON.stringify({ at }))),
  (side, [at = 0]) => side.try(at, (_, held) => side.engine.kill(held)),
  (side, [at = 0]) => side.try(at, (id) => side.engine.watch(id, null)),
  (side, [at = 0]) => side.try(at, (id) => side.engine.move(id, new Date(Date.now() + 3_600_000))),
  async (side, [n = 0]) => {
    await side.engine.setQueue(side.queue, { max_running: n % 4 === 0 ? null : 1 + (n % 60) })
  },
]

describe('a queue with packs and one without', () => {
  test.for(range(6))(
    'are equal to all who look, whatever is done (seed %i)',
    async (seed, { engine }) => {
      const next = random(seed + 1)
      const packed = new Side(engine, 'packed')
      const single = new Side(engine, 'single')
      await engine.setQueue('single', { packs: false })
      // Attempts that failed must not become due while the two are compared.
      await engine.setQueue('*', { backoff: { kind: 'fixed', base: '1 hour' } })
      for (const side of [packed, single]) await side.enqueue(40)
      expect(await engine.value('select max(size) from tasks')).toBeGreaterThan(1)

      for (let step = 0; step < 60; step++) {
        const move = moves[next(moves.length)] as Move
        const dice = [next(packed.ids.length), next(1_000)]
        const answers = [await move(packed, dice), await move(single, dice)]
        expect(answers[0], `step ${step}`).toEqual(answers[1])
        expect(await packed.seen(), `step ${step}`).toEqual(await single.seen())
        expect(await packed.counts(), `step ${step}`).toEqual(await single.counts())
      }
      expect(await faultsIn(engine)).toEqual([])
    },
  )
})
