import { describe, expect } from 'vitest'
import type { NewTask } from '../../src/engine/task.ts'
import { test } from '../support/engine.ts'

const inAnHour = () => new Date(Date.now() + 3_600_000)
const anHourAgo = () => new Date(Date.now() - 3_600_000)

describe('enqueue', () => {
  test('stores a task of which only the queue is known', async ({ engine }) => {
    const { id, outcome } = await engine.enqueue({ queue: 'mail' })

    expect(outcome).toBe('created')
    expect(await engine.task(id)).toMatchObject({
      id,
      state: 'ready',
      queue: 'mail',
      kind: 'handler',
      handler: 'mail',
      payload: {},
      priority: 0,
      version: 1,
      attempt: 0,
      max_attempts: 5,
      iteration: 0,
    })
  })

  test('keeps every property it is given', async ({ engine }) => {
    const parent = await engine.enqueue({ queue: 'mail' })
    const task = {
      queue: 'reports',
      payload: { month: 7 },
      handler: 'monthly',
      priority: -3,
      key: 'july',
      groups: ['customer 1', 'with "quotes", and {braces}'],
      tags: ['a', 'b\\c'],
      version: 2,
      meta: { trace: 'x' },
      parent: parent.id,
    } satisfies NewTask

    const { id } = await engine.enqueue({ ...task, maxAttempts: 9, timeout: '5 minutes' })

    expect(await engine.task(id)).toMatchObject({ ...task, max_attempts: 9 })
  })

  test('schedules a task for later', async ({ engine }) => {
    const runAt = inAnHour()

    const { id } = await engine.enqueue({ queue: 'mail', runAt })

    expect(await engine.task(id)).toMatchObject({ state: 'scheduled', run_at: runAt })
    expect(await engine.claim('mail')).toEqual([])
  })

  test('takes a time in the past for now', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', runAt: anHourAgo() })

    expect(await engine.claimOne('mail')).toMatchObject({ id })
  })

  test('holds SQL and documents without a handler', async ({ engine }) => {
    const statement = await engine.enqueue({
      queue: 'sql',
      kind: 'sql',
      payload: { sql: 'select 1' },
    })
    const document = await engine.enqueue({ queue: 'pages', kind: 'document', payload: [1, 2] })

    expect(await engine.task(statement.id)).toMatchObject({ kind: 'sql', handler: null })
    expect(await engine.task(document.id)).toMatchObject({ kind: 'document', handler: null })
  })

  test('belongs to the transaction of its caller', async ({ engine, connect }) => {
    const client = await connect()
    await client.query('begin')
    const { id } = await engine.on(client).enqueue({ queue: 'mail' })
    expect(await engine.claim('mail')).toEqual([])

    await client.query('rollback')

    expect(await engine.task(id)).toBeNull()
    expect(await engine.claim('mail')).toEqual([])
  })

  test('can be typed by a person in psql', async ({ engine }) => {
    const id = await engine.value(
      `select id from enqueue('mail', '{"to": "ada"}', p_priority => 5)`,
    )

    expect(await engine.claimOne('mail')).toMatchObject({ id, priority: 5, payload: { to: 'ada' } })
  })
})

describe('enqueue with a key', () => {
  test('keeps the task that is there', async ({ engine }) => {
    const first = await engine.enqueue({ queue: 'mail', key: 'ada', payload: 1 })

    const second = await engine.enqueue({ queue: 'mail', key: 'ada', payload: 2 })

    expect(second).toEqual({ id: first.id, outcome: 'kept' })
    expect(await engine.rows('select id, payload from task')).toEqual([
      { id: first.id, payload: 1 },
    ])
  })

  test('is unique in its own queue only', async ({ engine }) => {
    await engine.enqueue({ queue: 'mail', key: 'ada' })

    const other = await engine.enqueue({ queue: 'post', key: 'ada' })

    expect(other.outcome).toBe('created')
  })

  test('replaces the payload when asked to', async ({ engine }) => {
    const first = await engine.enqueue({ queue: 'mail', key: 'ada', payload: 1 })

    const second = await engine.enqueue({
      queue: 'mail',
      key: 'ada',
      payload: 2,
      priority: 7,
      onDuplicate: 'replace',
    })

    expect(second).toEqual({ id: first.id, outcome: 'replaced' })
    expect(await engine.claimOne('mail')).toMatchObject({ id: first.id, payload: 2, priority: 7 })
  })

  test('cannot replace what already runs', async ({ engine }) => {
    const task = await engine.running({ key: 'ada', payload: 1 })

    const second = await engine.enqueue({
      queue: 'mail',
      key: 'ada',
      payload: 2,
      onDuplicate: 'replace',
    })

    expect(second).toEqual({ id: task.id, outcome: 'kept' })
    expect(await engine.task(task.id)).toMatchObject({ state: 'running', payload: 1 })
  })

  test('waits for quiet when it debounces', async ({ engine }) => {
    const change: NewTask = { queue: 'mail', key: 'k', onDuplicate: 'debounce', window: '1 minute' }
    const { id } = await engine.enqueue(change)
    await engine.pass('40 seconds', id)

    const again = await engine.enqueue({ ...change, payload: 'newest' })

    expect(again).toEqual({ id, outcome: 'debounced' })
    await engine.pass('40 seconds', id)
    expect(await engine.task(id)).toMatchObject({ state: 'scheduled', payload: 'newest' })
    await engine.pass('40 seconds', id)
    expect(await engine.task(id)).toMatchObject({ state: 'ready' })
  })

  test('takes one per window when it throttles, even after that one ended', async ({ engine }) => {
    const press: NewTask = { queue: 'mail', key: 'k', onDuplicate: 'throttle', window: '1 minute' }
    const task = await engine.running(press)
    await engine.complete(task)

    expect(await engine.enqueue(press)).toEqual({ id: task.id, outcome: 'throttled' })

    await engine.pass('61 seconds')
    expect(await engine.enqueue(press)).toMatchObject({ outcome: 'created' })
  })

  test.for(['done', 'failed', 'cancelled'] as const)(
    'is free again once its task is %s',
    async (state, { engine }) => {
      const task = await engine.running({ key: 'ada' })
      if (state === 'done') await engine.complete(task)
      if (state === 'failed') await engine.kill(task)
      if (state === 'cancelled') await engine.cancel(task.id)

      const next = await engine.enqueue({ queue: 'mail', key: 'ada' })

      expect(next.outcome).toBe('created')
    },
  )

  test('is held while its task waits for another attempt', async ({ engine }) => {
    const task = await engine.running({ key: 'ada' })
    await engine.fail(task)

    const next = await engine.enqueue({ queue: 'mail', key: 'ada' })

    expect(next).toEqual({ id: task.id, outcome: 'kept' })
  })

  test('is kept with the finished task in a queue that keeps keys', async ({ engine }) => {
    await engine.setQueue('pages', { keeps_keys: true })
    const task = await engine.running({ queue: 'pages', key: 'ada' })
    await engine.complete(task)

    const next = await engine.enqueue({ queue: 'pages', key: 'ada' })

    expect(next).toEqual({ id: task.id, outcome: 'kept' })
  })

  test('is given back at the start of a task that frees it', async ({ engine }) => {
    await engine.running({ key: 'ada', freesKey: true })

    const next = await engine.enqueue({ queue: 'mail', key: 'ada' })

    expect(next.outcome).toBe('created')
  })
})
