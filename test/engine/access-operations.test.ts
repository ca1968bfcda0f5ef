import { describe, expect } from 'vitest'
import type { Json } from '../../src/engine/task.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** Drives an operation to its end. */
async function drive(engine: TestEngine, id: string, limit = 500) {
  for (;;) {
    const operation = await engine.advanceOperation(id, limit)
    if (operation.state !== 'running') return operation
  }
}

async function operate(engine: TestEngine, action: string, filter: Json, given: Json = {}) {
  return drive(engine, await engine.startOperation(action, filter, given))
}

const states = (engine: TestEngine) =>
  engine.rows('select state, count(*)::integer from task group by 1 order by 1')

describe('an operation', () => {
  test('cancels what waits and runs, and leaves what matches not', async ({ engine }) => {
    await engine.inState('done')
    await engine.running({ queue: 'mail' })
    await engine.enqueueMany(Array.from({ length: 3 }, () => ({ queue: 'mail' })))
    await engine.enqueue({ queue: 'post' })

    const operation = await operate(engine, 'cancel', { queue: 'mail' })

    expect(operation).toMatchObject({
      state: 'done',
      matched: 4,
      done: 4,
      refused: 0,
      progress: 1,
      error: null,
      ended_at: expect.any(Date),
    })
    expect(await states(engine)).toEqual([
      { state: 'cancelled', count: 4 },
      { state: 'done', count: 1 },
      { state: 'ready', count: 1 },
    ])
  })

  test('brings back what failed or was cancelled, and what is done only on request', async ({
    engine,
  }) => {
    await engine.inState('done')
    await engine.inState('failed')
    await engine.inState('cancelled')
    const runAt = '2100-01-01T00:00:00Z'

    expect(await operate(engine, 'retry', {}, { run_at: runAt })).toMatchObject({ done: 2 })
    expect(await states(engine)).toEqual([
      { state: 'done', count: 1 },
      { state: 'scheduled', count: 2 },
    ])
    expect(await operate(engine, 'retry', { states: ['done'] })).toMatchObject({ done: 1 })
  })

  test('moves, amends and deletes', async ({ engine }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }, { queue: 'post' }])

    await operate(engine, 'move', { queue: 'mail' }, { run_at: '2100-01-01T00:00:00Z' })
    await operate(engine, 'amend', { queue: 'mail' }, { changes: { priority: 7 } })
    expect(await engine.rows('select state, priority from task where priority = 7')).toEqual([
      { state: 'scheduled', priority: 7 },
      { state: 'scheduled', priority: 7 },
    ])

    expect(await operate(engine, 'delete', { queue: 'mail' })).toMatchObject({ done: 2 })
    expect(await engine.rows('select queue from task')).toEqual([{ queue: 'post' }])
  })

  test('counts those that refuse, says why, and does the others', async ({ engine }) => {
    await engine.enqueueMany(Array.from({ length: 60 }, (_, n) => ({ queue: 'mail', key: `${n}` })))
    await operate(engine, 'cancel', { queue: 'mail' })
    await engine.enqueue({ queue: 'mail', key: '7' })
    await engine.enqueue({ queue: 'mail', key: '59' })

    const operation = await operate(engine, 'retry', { queue: 'mail' })

    expect(operation).toMatchObject({ state: 'done', matched: 60, done: 58, refused: 2 })
    expect(operation.error).toContain('key')
    expect(await states(engine)).toEqual([
      { state: 'cancelled', count: 2 },
      { state: 'ready', count: 60 },
    ])
  })

  test('does not touch tasks that came after it began, whatever their ids', async ({
    engine,
    connect,
  }) => {
    // An admin may give the sequence a cache: then a producer that has drawn a block gives out low ids later.
    await engine.rows('alter sequence task_ids cache 32')
    const producer = engine.on(await connect())
    await producer.enqueue({ queue: 'mail' })
    await engine.enqueueMany(Array.from({ length: 40 }, () => ({ queue: 'mail' })))
    const id = await engine.startOperation('cancel', { queue: 'mail' })
    const low = await producer.enqueue({ queue: 'mail' })
    const high = await engine.enqueue({ queue: 'mail' })
    expect(Number(low.id)).toBeLessThan(40)
    await engine.rows('alter sequence task_ids cache 1')

    expect(await drive(engine, id, 10)).toMatchObject({ state: 'done', done: 41 })

    expect(await engine.rows(`select id from task where state = 'ready' order by id`)).toEqual(
      [low, high].map((task) => ({ id: task.id })),
    )
  })

  test('goes page by page, and tells how far it has come', async ({ engine }) => {
    await engine.enqueueMany(Array.from({ length: 30 }, () => ({ queue: 'mail' })))
    const id = await engine.startOperation('cancel', {})

    const first = await engine.advanceOperation(id, 10)
    const second = await engine.advanceOperation(id, 10)

    expect(first).toMatchObject({ state: 'running', matched: 10, done: 10 })
    expect(second).toMatchObject({ state: 'running', matched: 20, done: 20 })
    expect(first.progress).toBeGreaterThan(0.2)
    expect(second.progress).toBeGreaterThan(first.progress)
    expect(second.progress).toBeLessThan(1)
    expect(await drive(engine, id)).toMatchObject({ matched: 30, done: 30, progress: 1 })
  })

  test('does nothing twice: what has ended stays as it is', async ({ engine }) => {
    await engine.enqueue({ queue: 'mail' })
    const id = await engine.startOperation('cancel', {})
    const ended = await drive(engine, id)
    await engine.enqueue({ queue: 'mail' })

    expect(await engine.advanceOperation(id)).toEqual(ended)
    expect(await states(engine)).toMatchObject([{ state: 'cancelled' }, { state: 'ready' }])
  })

  test('is undone to the page when its driver dies in the middle of one', async ({
    engine,
    connect,
  }) => {
    await engine.enqueueMany(Array.from({ length: 30 }, () => ({ queue: 'mail' })))
    const id = await engine.startOperation('cancel', {})
    await engine.advanceOperation(id, 10)
    const doomed = await connect()
    doomed.on('error', () => {})
    await doomed.query('begin')
    expect(await engine.on(doomed).advanceOperation(id, 10)).toMatchObject({ matched: 20 })
    const { rows } = await doomed.query<{ pid: number }>('select pg_backend_pid() as pid')

    // Another caller gets its state meanwhile, and does not wait.
    expect(await engine.advanceOperation(id, 10)).toMatchObject({ matched: 10 })
    await engine.rows('select pg_terminate_backend($1, 10000)', rows[0]?.pid)

    expect(await engine.operation(id)).toMatchObject({ matched: 10 })
    expect(await drive(engine, id)).toMatchObject({ matched: 30, done: 30, refused: 0 })
  })

  test('fails with what went wrong when that is not a refusal', async ({ engine }) => {
    await engine.enqueue({ queue: 'mail' })
    const id = await engine.startOperation('cancel', {})
    await engine.rows(`update operations set action = 'move', arguments = '{"run_at": "never"}'`)

    const operation = await engine.advanceOperation(id)

    expect(operation).toMatchObject({ state: 'failed', matched: 0 })
    expect(operation.error).toContain('never')
    expect(await states(engine)).toEqual([{ state: 'ready', count: 1 }])
  })

  test('means the times of the session that started it, wherever it is driven', async ({
    engine,
    connect,
  }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'post' }])
    const client = await connect()
    await client.query(`set timezone = 'Asia/Tokyo'`)
    const tokyo = engine.on(client)
    const at = '2100-01-01 09:00'

    const moving = await tokyo.startOperation('move', { queue: 'mail' }, { run_at: at })
    const amending = await tokyo.startOperation(
      'amend',
      { queue: 'post', run_before: at },
      { changes: { run_at: at } },
    )
    await drive(engine, moving)
    await drive(engine, amending)

    const run_at = new Date('2100-01-01T00:00:00Z')
    expect(await engine.rows('select run_at from task')).toEqual([{ run_at }, { run_at }])
  })

  test.for<[string, string, Json, Json, string]>([
    ['an action that is none', 'cancle', {}, {}, "'cancle'"],
    ['a filter it does not know', 'cancel', { que: 'mail' }, {}, "'que'"],
    ['a filter that says nothing', 'delete', { queue: null }, {}, 'null for queue'],
    ['a filter that is none', 'cancel', 'mail', {}, 'filter'],
    ['an argument too many', 'cancel', {}, { run_at: '2100-01-01' }, 'arguments'],
    ['a move to no time', 'move', {}, {}, 'run_at'],
    ['a move to what is not a time', 'move', {}, { run_at: 'soon' }, 'soon'],
    ['a move to never', 'move', {}, { run_at: 'infinity' }, 'run_at'],
    ['a change of nothing', 'amend', {}, {}, 'settings'],
    ['a change to what is not a time', 'amend', {}, { changes: { run_at: 'soon' } }, 'soon'],
    ['a change that is none', 'amend', {}, { changes: { prority: 1 } }, "'prority'"],
    ['one payload for all', 'amend', {}, { changes: { payload: {} } }, 'cannot set the payload'],
  ])('refuses %s, and begins nothing', async ([, action, filter, given, message], { engine }) => {
    await expect(engine.startOperation(action, filter, given)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
    })
    expect(await engine.operations()).toEqual([])
  })

  test('must exist to be advanced or cancelled', async ({ engine }) => {
    const missing = { code: 'operation_not_found' }
    await expect(engine.advanceOperation('404')).rejects.toMatchObject(missing)
    await expect(engine.cancelOperation('404')).rejects.toMatchObject(missing)
  })

  test('is swept 7 days after it has ended', async ({ engine }) => {
    await operate(engine, 'cancel', {})
    await engine.startOperation('cancel', {})

    await engine.pass('6 days')
    await engine.sweep()
    expect(await engine.operations()).toHaveLength(2)
    await engine.pass('25 hours')
    await engine.sweep()

    expect(await engine.operations()).toMatchObject([{ state: 'running' }])
  })
})

describe('cancel_operation', () => {
  test('stops it between two pages; what was done stays done', async ({ engine }) => {
    await engine.enqueueMany(Array.from({ length: 30 }, () => ({ queue: 'mail' })))
    const id = await engine.startOperation('cancel', {})
    await engine.advanceOperation(id, 10)

    await engine.cancelOperation(id)
    await engine.cancelOperation(id)

    expect(await engine.advanceOperation(id, 10)).toMatchObject({ state: 'cancelled', done: 10 })
    expect(await states(engine)).toEqual([
      { state: 'cancelled', count: 10 },
      { state: 'ready', count: 20 },
    ])
  })

  test('refuses one that has ended', async ({ engine }) => {
    const { id } = await operate(engine, 'cancel', {})

    await expect(engine.cancelOperation(id)).rejects.toMatchObject({ code: 'wrong_state' })
  })
})
