import { describe, expect } from 'vitest'
import { Worker } from '../../src/worker/worker.ts'
import { test } from '../support/worker.ts'

describe('a worker', () => {
  test('runs what is queued and keeps what its handlers return', async ({
    engine,
    work,
    allDone,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail', payload: { to: 'ada' } })

    await work({ tasks: { mail: (payload: { to: string }) => `sent to ${payload.to}` } })
    await allDone()

    expect(await engine.task(id)).toMatchObject({
      state: 'done',
      attempt: 1,
      output: 'sent to ada',
    })
  })

  test('wakes up when a task is enqueued while it rests', async ({ engine, work, allDone }) => {
    const worker = await work({ tasks: { mail: () => 'sent' } })
    await expect.poll(() => engine.value('select asleep from worker')).toBe(true)

    await engine.enqueue({ queue: 'mail' })
    await allDone()

    expect(await engine.value('select worker from finished')).toBe(worker.id)
  })
  test('refuses a connection string that leads nowhere, instead of asking for ever', () => {
    const options = { database: 'nonsense', tasks: { mail: () => 'sent' } }

    expect(() => new Worker(options)).toThrow('database must be a URL such as postgres://')
  })
})
