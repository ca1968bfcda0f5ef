import { describe, expect } from 'vitest'
import type { Json, NewTask } from '../../src/engine/task.ts'
import { census, faultsIn } from '../support/books.ts'
import { all, crowd, drain, range, watch } from '../support/crowd.ts'
import { test } from '../support/limit-judge.ts'
import { Dice } from '../support/model.ts'
import type { TestEngine } from '../support/test-engine.ts'

const dice = new Dice(Date.now())
const groups = ['a', 'b', 'c', 'd']

function someTask(): NewTask {
  return {
    queue: 'mail',
    maxAttempts: 100,
    backoff: { kind: 'none' },
    priority: dice.pick([0, 0, 1]),
    ...(dice.chance(0.8) && { groups: [dice.pick(groups)] }),
  }
}

/** Everything of a queue that says when its tasks may start. */
const changes: readonly Json[] = [
  { is_fair: true },
  { is_fair: false },
  { max_running: null },
  { max_running: 1 },
  { max_running: 3 },
  { max_running: 10 },
  { is_fair: true, max_running: 2 },
  { is_fair: false, max_running: null },
  { group_max_running: 2 },
  { group_max_running: null },
  { gap: '3 milliseconds' },
  { gap: null },
  { rate: 20, rate_window: '50 milliseconds' },
  { rate: null, rate_window: null },
]

/** Ends some of what a worker holds, in one of the ways there are. */
async function end(worker: TestEngine, tasks: { id: string; claim: string }[]): Promise<void> {
  const ids = tasks.map(({ id }) => id)
  const claims = tasks.map(({ claim }) => claim)
  const ways: readonly (() => Promise<unknown>)[] = [
    () => worker.completeMany(tasks),
    () => worker.release(tasks),
    () => worker.rows('select * from fail_many($1, $2)', ids, claims),
    async () => {
      for (const task of tasks) await worker.complete(task)
    },
    () => worker.rows('select cancel_many($1)', ids),
    async () => {
      await worker.rows('update claims set expires_at = claimed_at where id = any ($1)', claims)
      await worker.rescue()
    },
  ]
  await dice
    .pick(ways)()
    .catch((error: { code?: string }) => {
      // Another has rescued it.
      if (error.code !== 'lease_lost' && error.code !== 'task_not_found') throw error
    })
}

describe('a queue whose limits and order change while eight workers take from it', () => {
  // Twice, because a queue gets its first limit only once.
  test.for([1, 2])(
    'never starts a task above a limit (%i)',
    async (_, { engine, connect, judge }) => {
      await engine.enqueueMany(range(200).map(someTask))
      const workers = await crowd(engine, connect, 8)
      const operators = await crowd(engine, connect, 2)
      let isOver = false

      const work = all(workers, async (worker) => {
        for (const _ of range(50)) {
          const held = await worker.claim('mail', { limit: dice.pick([1, 3, 10]) })
          await end(worker, held)
          await worker.enqueueMany(held.map(someTask))
        }
      }).finally(() => {
        isOver = true
      })
      const tuning = all(operators, async (operator) => {
        while (!isOver) {
          await operator.setQueue('mail', dice.pick(changes))
          await operator.setGroup(dice.pick(groups), { max_running: dice.pick([1, 2, null]) })
          await operator.rows('select * from repair_limits()')
        }
      })

      expect(await watch(() => faultsIn(engine), Promise.all([work, tuning]))).toEqual([])
      const { breaches, claims } = await judge()
      expect(breaches).toEqual([])
      expect(claims).toBeGreaterThan(0)

      // Nothing is left behind in the order that the queue had before. What one worker was refused
      // because another had rescued it may still run.
      await engine.rows('update claims set expires_at = claimed_at')
      await engine.rescue()
      await engine.setQueue('mail', { max_running: null, gap: null, rate: null, rate_window: null })
      await drain(workers, 'mail')
      expect(Object.keys(await census(engine))).not.toContain('queued')
      expect(await engine.rows('select * from repair_limits()')).toEqual([])
    },
  )
})
