import type pg from 'pg'
import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const levels = ['repeatable read', 'serializable'] as const
const serializationFailure = { code: '40001' }

/** A session whose transaction has taken its snapshot. */
async function withSnapshot(
  engine: TestEngine,
  connect: () => Promise<pg.Client>,
  level: string,
): Promise<TestEngine> {
  const session = engine.on(await connect())
  await session.rows(`begin isolation level ${level}`)
  await session.rows('select from tasks limit 1')
  return session
}

describe.for(levels)('at isolation level %s', (level) => {
  test('a claim fails that does not see the first limit of its queue', async ({
    engine,
    connect,
  }) => {
    await engine.enqueueMany(range(3).map(() => ({ queue: 'mail' })))
    const worker = await withSnapshot(engine, connect, level)
    await engine.setQueue('mail', { max_running: 1 })

    await expect(worker.claim('mail', { limit: 2 })).rejects.toMatchObject(serializationFailure)

    expect(await faultsIn(engine)).toEqual([])
  })

  test('a claim fails that does not see the first limit of a queue with settings', async ({
    engine,
    connect,
  }) => {
    await engine.setQueue('mail', { max_attempts: 3 })
    await engine.enqueueMany(range(3).map(() => ({ queue: 'mail' })))
    const worker = await withSnapshot(engine, connect, level)
    await engine.setQueue('mail', { max_running: 1 })

    await expect(worker.claim('mail', { limit: 2 })).rejects.toMatchObject(serializationFailure)

    expect(await faultsIn(engine)).toEqual([])
  })

  test('a claim fails that does not see that its queue is paused', async ({ engine, connect }) => {
    await engine.setQueue('mail', { max_attempts: 3 })
    await engine.enqueue({ queue: 'mail' })
    const worker = await withSnapshot(engine, connect, level)
    await engine.pause('mail')

    await expect(worker.claim('mail')).rejects.toMatchObject(serializationFailure)
  })

  test('an end fails that does not see that its task is counted', async ({ engine, connect }) => {
    await engine.enqueueMany(range(3).map(() => ({ queue: 'mail' })))
    const tasks = await engine.claim('mail', { limit: 3 })
    const worker = await withSnapshot(engine, connect, level)
    await engine.setQueue('mail', { max_running: 1 })

    await expect(worker.completeMany(tasks)).rejects.toMatchObject(serializationFailure)
    await worker.rows('rollback')
    await worker.completeMany(tasks)

    expect(await faultsIn(engine)).toEqual([])
  })

  test('claims and ends go on as at read committed', async ({ engine, connect }) => {
    await engine.enqueueMany(range(4).map(() => ({ queue: 'mail' })))
    const worker = engine.on(await connect())
    await worker.rows(`set default_transaction_isolation = '${level}'`)

    expect(await worker.claim('mail')).toHaveLength(1)
    await engine.setQueue('mail', { max_running: 2 })
    const [task] = await worker.claim('mail', { limit: 3 })
    if (task) await worker.complete(task)

    expect(await worker.claim('mail', { limit: 3 })).toHaveLength(1)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('the first limit of a queue is rejected, and later ones are set', async ({
    engine,
    connect,
  }) => {
    const operator = engine.on(await connect())
    await operator.rows(`set default_transaction_isolation = '${level}'`)

    await expect(operator.setQueue('mail', { max_running: 1 })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(level),
      hint: expect.stringContaining('read committed'),
    })
    await engine.setQueue('mail', { max_running: 1 })
    await operator.setQueue('mail', { max_running: 2 })

    expect(await engine.value(`select max_running from queue where queue = 'mail'`)).toBe(2)
  })
})
