import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { member, range, waitsForLock } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'
import { until } from '../support/until.ts'

/** A verb that a worker calls for its tasks of g and h while it already holds the row of a task of g. */
const calls = {
  complete_many: (worker: TestEngine) =>
    worker.rows(
      `select complete_many(array_agg(id), array_agg(claim)) from tasks where groups = '{g,h}' and claim is not null`,
    ),
  'fail_many, of which one is tried again': (worker: TestEngine) =>
    worker.rows(
      `select fail_many(array_agg(id), array_agg(claim), p_retries => '{t,f}')
       from tasks where groups = '{g,h}' and claim is not null`,
    ),
  'an operation': (worker: TestEngine) =>
    worker.rows(
      `select lock_tasks(array_agg(id), now()) from tasks where groups = '{g,h}' and claim is not null`,
    ),
}

describe('the first limit of a group whose tasks run uncounted', () => {
  test.for(Object.entries(calls))(
    'makes no deadlock with %s',
    async ([_, call], { engine, connect }) => {
      const both = { queue: 'mail', groups: ['g', 'h'] }
      await engine.enqueueMany([{ queue: 'mail', groups: ['g'] }, both, both])
      const [first] = await engine.claim('mail', { limit: 3 })
      const worker = await member(engine, connect)
      const operator = await member(engine, connect)

      // While the worker ends the first, a task with a limit asks for a row of g: it is made, and its count waits.
      await worker.rows('begin')
      await worker.completeMany(first ? [first] : [])
      await engine.enqueue({ queue: 'mail', groups: ['g'], maxRunning: 1 })
      expect(await engine.claim('mail')).toEqual([])
      expect(await engine.value(`select opened_by is not null from groups where name = 'g'`)).toBe(
        true,
      )
      const set = operator.setGroup('g', { max_running: 1 })
      await waitsForLock(engine, operator)
      await call(worker)
      await worker.rows('commit')
      await set

      expect(await faultsIn(engine)).toEqual([])
    },
  )

  test('makes no deadlock with an operation that looked before it came', async ({
    engine,
    connect,
  }) => {
    await engine.setGroup('h', { max_running: 5 })
    const runAt = new Date('2100-01-01')
    const later: string[] = []
    for (const group of ['g', 'h']) {
      later.push((await engine.enqueue({ queue: 'mail', groups: [group], runAt })).id)
    }
    await engine.enqueue({ queue: 'mail', groups: ['g', 'h'] })
    const [running] = await engine.claim('mail')
    const operator = await member(engine, connect)
    const worker = await member(engine, connect)

    // The operation holds h, for g has no row yet. The worker gives back g, and waits for h.
    await operator.rows('begin')
    await operator.rows('select lock_tasks($1, now())', [later])
    await engine.setGroup('g', { max_running: 1 })
    const completed = worker.completeMany(running ? [running] : [])
    await waitsForLock(engine, worker)
    await operator.rows('select cancel_many($1)', [later])
    await operator.rows('commit')

    expect(await completed).toEqual([running?.id])
    expect(await faultsIn(engine)).toEqual([])
  })
})

describe('the first limit of a queue', () => {
  test('comes through while claims take turns in holding the gate', async ({ engine, connect }) => {
    let isOver = false
    const claims = range(4).map(async (place) => {
      const worker = await member(engine, connect)
      await worker.rows('select pg_sleep($1)', 0.1 * place)
      while (!isOver) {
        await worker.rows('begin')
        await worker.rows(`select enter_gate('mail'), pg_sleep(0.4)`)
        await worker.rows('commit')
      }
    })

    const holders = `select count(*) = 4 from pg_locks
      where granted and relation::regclass::text like 'gate_%' and pid <> pg_backend_pid()`
    await until(() => engine.value(holders))

    await engine.setQueue('mail', { max_running: 1 }).finally(() => {
      isOver = true
    })

    await Promise.all(claims)
    expect(await engine.value(`select is_counted from queues where name = 'mail'`)).toBe(true)
  })
})
