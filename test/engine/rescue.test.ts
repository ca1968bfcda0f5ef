import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('rescue', () => {
  test('hands a task to another worker once its lease runs out', async ({ engine }) => {
    const task = await engine.running({}, { worker: 'dead' })

    await engine.pass('31 seconds', task.id)
    expect(await engine.rescue()).toEqual([{ id: task.id, state: 'queued' }])

    const taken = await engine.claimOne('mail', { worker: 'alive' })
    expect(taken).toMatchObject({ id: task.id, attempt: 2 })
  })

  test('gives the task its old place in the queue', async ({ engine }) => {
    const task = await engine.running()
    await engine.enqueue({ queue: 'mail' })
    await engine.pass('31 seconds')

    await engine.rescue()

    expect(await engine.claimOne('mail')).toMatchObject({ id: task.id })
  })

  test('finds the task as soon as a default lease is over', async ({ engine }) => {
    const task = await engine.running()

    await engine.pass('16 seconds', task.id)

    expect(await engine.rescue()).toMatchObject([{ id: task.id }])
  })

  test('records the attempt as lost, and by whom', async ({ engine }) => {
    const task = await engine.running({}, { worker: 'dead' })
    await engine.pass('31 seconds', task.id)

    await engine.rescue()

    expect(await engine.rows('select * from attempt')).toMatchObject([
      { task: task.id, attempt: 1, worker: 'dead', reason: 'lost', error: { code: 'lost' } },
    ])
  })

  test('fails a task that was lost in its last attempt', async ({ engine }) => {
    const task = await engine.running({ maxAttempts: 1 }, { worker: 'dead' })
    await engine.pass('31 seconds', task.id)

    expect(await engine.rescue()).toEqual([{ id: task.id, state: 'failed' }])

    expect(await engine.task(task.id)).toMatchObject({
      state: 'failed',
      reason: 'lost',
      worker: 'dead',
      error: { code: 'lost', worker: 'dead' },
    })
  })

  test('fails it at once where the queue says so', async ({ engine }) => {
    await engine.setQueue('mail', { on_lost: 'fail' })
    const task = await engine.running()
    await engine.pass('31 seconds', task.id)

    await engine.rescue()

    expect(await engine.task(task.id)).toMatchObject({
      state: 'failed',
      reason: 'lost',
      attempt: 1,
    })
  })

  test('takes all that is left of a batch, and nothing that has ended', async ({ engine }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }, { queue: 'mail' }])
    const [done, ...left] = await engine.claim('mail', { limit: 3 })
    if (done) await engine.complete(done)
    await engine.pass('31 seconds')

    const rescued = await engine.rescue()

    expect(new Set(rescued.map(({ id }) => id))).toEqual(new Set(left.map(({ id }) => id)))
    expect(await engine.rows('select from claims')).toEqual([])
  })

  test('leaves a running task alone while its lease holds', async ({ engine }) => {
    const task = await engine.running()
    await engine.pass('14 seconds', task.id)

    expect(await engine.rescue()).toEqual([])

    expect(await engine.task(task.id)).toMatchObject({ state: 'running', claim: task.claim })
  })

  test('leaves to its holder a task whose lease is over, until it is rescued', async ({
    engine,
  }) => {
    const [counted, late] = [await engine.running(), await engine.running()]
    await engine.pass('1 minute', counted.id)
    await engine.pass('1 minute', late.id)

    await engine.complete(counted, 'in time after all')
    expect(await engine.rescue()).toEqual([{ id: late.id, state: 'queued' }])
    await expect(engine.complete(late)).rejects.toMatchObject({ code: 'lease_lost' })

    expect(await engine.task(counted.id)).toMatchObject({
      state: 'done',
      output: 'in time after all',
    })
  })

  test.for(['queued', 'done', 'failed', 'cancelled', 'gone'] as const)(
    'finds nothing to do about a task that is %s',
    async (state, { engine }) => {
      const { id } = await engine.inState(state)
      await engine.pass('1 hour', id)
      const before = await engine.task(id)

      expect(await engine.rescue()).toEqual([])

      expect(await engine.task(id)).toEqual(before)
    },
  )

  test('leaves to another rescuer what that one is rescuing', async ({ engine, connect }) => {
    const task = await engine.running()
    await engine.pass('31 seconds', task.id)
    const other = await connect()
    await other.query('begin')
    await engine.on(other).rescue()

    expect(await engine.rescue()).toEqual([])

    await other.query('commit')
    expect(await engine.rows('select attempt from attempt')).toEqual([{ attempt: 1 }])
  })
})
