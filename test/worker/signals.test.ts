import { describe, expect } from 'vitest'
import type { Context } from '../../src/tasks/context.ts'
import { until } from '../support/until.ts'
import { signalled, test } from '../support/worker.ts'

/** A handler that tells when it runs, and why it was stopped. */
function obedient() {
  const started = signalled<Context>()
  const stopped = signalled<string>()
  const run = async (_payload: unknown, context: Context) => {
    started.resolve(context)
    await new Promise<void>((_, fail) => {
      context.signal.addEventListener('abort', () => {
        stopped.resolve(context.signal.reason.reason)
        fail(context.signal.reason)
      })
    })
  }
  return { run, started: started.promise, stopped: stopped.promise }
}

describe("a handler's signal", () => {
  test('aborts when the task runs longer than it may', async ({ engine, work }) => {
    const { run, stopped } = obedient()
    const { id } = await engine.enqueue({ queue: 'mail', timeout: '50 milliseconds' })
    await work({ tasks: { mail: run } })

    expect(await stopped).toBe('timeout')
    await until(async () => (await engine.task(id))?.state === 'retrying')
    expect(await engine.rows('select reason, error from attempt')).toMatchObject([
      { reason: 'timeout', error: { code: 'timeout', name: 'Timeout' } },
    ])
  })

  test('aborts by the timeout of the definition, as Postgres reads it', async ({
    engine,
    work,
  }) => {
    const { run, stopped } = obedient()
    await engine.enqueue({ queue: 'mail' })
    await work({ tasks: [{ name: 'mail', timeout: '0.05 seconds', run }] })

    expect(await stopped).toBe('timeout')
  })

  test('aborts by the timeout of the queue, else of the worker', async ({ engine, work }) => {
    const mail = obedient()
    const print = obedient()
    await engine.setQueue('mail', { timeout: '0.05 seconds' })
    const { id } = await engine.enqueue({ queue: 'mail' })
    expect(await engine.task(id)).toMatchObject({ timeout: '00:00:00.05' })

    await work({ tasks: { mail: mail.run }, timeoutMs: '1 hour' })
    expect(await mail.stopped).toBe('timeout')

    await work({ tasks: { print: print.run }, timeoutMs: 50 })
    await engine.enqueue({ queue: 'print' })
    expect(await print.stopped).toBe('timeout')
  })

  test('counts the time from the start of the run, not from the claim', async ({
    engine,
    work,
    allDone,
  }) => {
    const tasks = Array.from({ length: 6 }, () => ({ queue: 'mail', timeout: '400 milliseconds' }))
    await engine.enqueueMany(tasks)
    const slow = () => new Promise((done) => setTimeout(done, 100))
    await work({ tasks: { mail: slow }, concurrency: 1, buffer: 10 })
    await allDone()

    expect(await engine.rows('select * from attempt')).toEqual([])
  })

  test('aborts when the task is cancelled', async ({ engine, work }) => {
    const { run, started, stopped } = obedient()
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({ tasks: { mail: run } })
    await started

    await engine.cancel(id)

    expect(await stopped).toBe('cancelled')
    expect(await engine.task(id)).toMatchObject({ state: 'cancelled', reason: 'aborted' })
  })

  test('aborts at the next heartbeat when no worker could be notified', async ({
    engine,
    work,
  }) => {
    const { run, started, stopped } = obedient()
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({ tasks: { mail: run }, listen: false, leaseMs: 1_000 })
    await started

    await engine.cancel(id)

    expect(await stopped).toBe('lease_lost')
  })

  test('aborts when the worker stops and the deadline is over', async ({ engine, work }) => {
    const { run, started, stopped } = obedient()
    const { id } = await engine.enqueue({ queue: 'mail' })
    const worker = await work({ tasks: { mail: run } })
    await started

    await worker.stop({ deadlineMs: 10 })

    expect(await stopped).toBe('shutdown')
    expect(await engine.task(id)).toMatchObject({ state: 'ready', attempt: 0 })
  })

  test('is aborted already for a handler that asks late', async ({ engine, work }) => {
    const asked = signalled<boolean>()
    const { id } = await engine.enqueue({ queue: 'mail' })
    const started = signalled()
    await work({
      tasks: {
        mail: async (_payload: unknown, context: Context) => {
          started.resolve()
          await until(async () => (await engine.task(id))?.state === 'cancelled')
          // The worker learns it with a heartbeat, before it sends the next but one.
          for (const _ of [1, 2, 3]) {
            // As text: a Date has no microseconds, and would be earlier than the beat it was read from.
            const last = await engine.value<string>('select beat_at::text from workers')
            await until(() => engine.value('select beat_at > $1::timestamptz from workers', last))
          }
          asked.resolve(context.signal.aborted)
        },
      },
      leaseMs: 1_000,
    })
    await started.promise

    await engine.cancel(id)

    expect(await asked.promise).toBe(true)
  })
})
