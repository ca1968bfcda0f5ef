import { describe, expect } from 'vitest'
import type { EventName } from '../../src/engine/following.ts'
import type { Held } from '../../src/engine/outcomes.ts'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { StoredState, TestEngine } from '../support/test-engine.ts'

type Deed = (engine: TestEngine, task: Held) => Promise<unknown>

/** What becomes of a task in this state, and the event that tells of it. */
const deeds: readonly [verb: string, state: StoredState, event: EventName, deed: Deed][] = [
  ['claim', 'queued', 'claim', (engine) => engine.claimOne('mail')],
  ['progress', 'running', 'progress', (engine, task) => engine.progress(task, '{"done": 1}')],
  ['log', 'running', 'log', (engine, task) => engine.rows(log, task.id, task.claim)],
  ['complete', 'running', 'complete', (engine, task) => engine.complete(task)],
  ['complete_many', 'running', 'complete', (engine, task) => engine.completeMany([task])],
  ['fail', 'running', 'requeue', (engine, task) => engine.fail(task)],
  ['fail for good', 'running', 'fail', (engine, task) => engine.fail(task, null, { retry: false })],
  ['reject', 'running', 'requeue', (engine, task) => engine.reject(task)],
  ['kill', 'running', 'fail', (engine, task) => engine.kill(task)],
  ['reschedule', 'running', 'requeue', (engine, task) => engine.reschedule(task, new Date())],
  ['release', 'running', 'requeue', (engine, task) => engine.release([task])],
  [
    'rescue',
    'running',
    'requeue',
    (engine, task) => lose(engine, task).then(() => engine.rescue()),
  ],
  [
    'rescue_queue',
    'running',
    'requeue',
    (engine, task) => lose(engine, task).then(() => engine.rows(`select rescue_queue('mail')`)),
  ],
  ['expire', 'queued', 'fail', (engine, task) => miss(engine, task).then(() => engine.expire())],
  ['cancel', 'queued', 'cancel', (engine, task) => engine.cancel(task.id)],
  ['cancel_many', 'running', 'cancel', (engine, task) => engine.cancelMany([task.id])],
  ['retry', 'failed', 'retry', (engine, task) => engine.retry(task.id)],
  ['move', 'queued', 'move', (engine, task) => engine.move(task.id, new Date())],
  ['amend', 'queued', 'amend', (engine, task) => engine.amend(task.id, { priority: 3 })],
  ['amend', 'running', 'amend', (engine, task) => engine.amend(task.id, { meta: { a: 1 } })],
  ['amend', 'done', 'amend', (engine, task) => engine.amend(task.id, { priority: 3 })],
  ['delete', 'queued', 'delete', (engine, task) => engine.delete(task.id)],
  ['delete', 'done', 'delete', (engine, task) => engine.delete(task.id)],
  [
    'delete_many',
    'running',
    'delete',
    (engine, task) => engine.rows(`select delete_many(array[$1::bigint])`, task.id),
  ],
  [
    'delete_many',
    'failed',
    'delete',
    (engine, task) => engine.rows(`select delete_many(array[$1::bigint])`, task.id),
  ],
]

const log = `select log(array[$1::bigint], array[$2::bigint], '{info}', '{hello}')`
const lose = (engine: TestEngine, task: Held) => engine.pass('1 minute', task.id)
const miss = (engine: TestEngine, task: Held) =>
  engine.rows(`update tasks set deadline = now() - interval '1 s' where id = $1`, task.id)

describe('while a client follows,', () => {
  test.for(deeds)(
    '%s of a task that is %s is recorded as %s',
    async ([, state, event, deed], { engine }) => {
      const task = await engine.inState(state)
      const { after } = await engine.follow()

      await deed(engine, task)

      expect(await engine.events({ after })).toMatchObject([
        { event, task: task.id, queue: 'mail' },
      ])
    },
  )

  test('enqueueing is recorded, one by one or in bulk, and so are duplicates that change a task', async ({
    engine,
  }) => {
    const { after } = await engine.follow()
    const one = await engine.enqueue({ queue: 'mail', key: 'k' })
    const [two] = await engine.enqueueMany([{ queue: 'post' }])
    await engine.enqueue({ queue: 'mail', key: 'k', onDuplicate: 'replace', payload: 2 })

    expect(await engine.events({ after })).toMatchObject(
      [one.id, two?.id, one.id].map((task) => ({ event: 'enqueue', task })),
    )
  })
})

describe('while no client follows,', () => {
  test.for(deeds)(
    '%s of a task that is %s is not recorded',
    async ([, state, , deed], { engine }) => {
      const task = await engine.inState(state)

      await deed(engine, task)

      expect(await engine.rows('select from events')).toEqual([])
    },
  )
})

describe('read_events', () => {
  test('tells every event once and in order, however many commit at once', {
    timeout: 600_000,
  }, async ({ engine, connect }) => {
    const { after } = await engine.follow('1 hour')
    let isOver = false
    const work = Promise.all(
      range(4).map(async () => {
        const client = await connect()
        const own = engine.on(client)
        for (const n of range(40)) {
          await client.query('begin')
          await own.enqueueMany([{ queue: 'mail' }, { queue: 'post' }])
          if (n % 3 === 0) await own.queueStats()
          await own.completeMany(await own.claim('mail', { limit: 2 }))
          await client.query(n % 7 === 0 ? 'rollback' : 'commit')
        }
      }),
    ).finally(() => {
      isOver = true
    })

    const seen: string[] = []
    const read = async () => {
      const events = await engine.events({ after: seen.at(-1) ?? after, limit: 50 })
      seen.push(...events.map(({ id }) => id))
      return events.length
    }
    while (!isOver) await read()
    await work
    while ((await read()) > 0);

    const there = await engine.rows<{ id: string }>('select id from events order by id')
    expect(seen).toEqual(there.map(({ id }) => id))
    expect(seen.length).toBeGreaterThan(300)
  })
})
