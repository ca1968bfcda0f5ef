import pg from 'pg'
import { describe, expect, inject } from 'vitest'
import { test } from '../support/client.ts'
import { openProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'

const waiters = 'select count(*)::integer from waiters'

describe.for([
  ['by LISTEN', true],
  ['by looking again, where LISTEN is not to be had', false],
] as const)('waiting for a task %s', ([, listen]) => {
  test('gives its output', async ({ open, engine }) => {
    const tusk = await open({ listen })
    const task = await tusk.enqueueTask({ queue: 'mail' })

    const output = task.wait()
    await engine.complete(await engine.claimOne('mail'), { sent: true })

    expect(await output).toEqual({ sent: true })
    expect(await tusk.wait(task.id)).toEqual({ sent: true })
  })

  test('gives null for a task without an output', async ({ open, engine }) => {
    const tusk = await open({ listen })
    const task = await tusk.enqueueTask({ queue: 'mail' })
    await engine.complete(await engine.claimOne('mail'))

    expect(await task.wait()).toBeNull()
  })

  test('throws the error of one that failed', async ({ open, engine }) => {
    const tusk = await open({ listen })
    const task = await tusk.enqueueTask({ queue: 'mail', maxAttempts: 1 })

    const thrown = expect(task.wait()).rejects.toMatchObject({
      code: 'task_failed',
      message: `task ${task.id} failed (error): mailbox full`,
      cause: { message: 'mailbox full', code: 552 },
    })
    await engine.fail(await engine.claimOne('mail'), { message: 'mailbox full', code: 552 })

    await thrown
  })

  test('throws when it was cancelled', async ({ open }) => {
    const tusk = await open({ listen })
    const task = await tusk.enqueueTask({ queue: 'mail' })

    const thrown = expect(task.wait()).rejects.toMatchObject({ code: 'task_cancelled' })
    await tusk.tasks.cancel(task.id)

    await thrown
  })

  test('goes on while it is tried again', async ({ open, engine }) => {
    const tusk = await open({ listen })
    const task = await tusk.enqueueTask({ queue: 'mail', backoff: { kind: 'none' } })

    const end = tusk.waitForEnd(task.id)
    await engine.fail(await engine.claimOne('mail'), { message: 'not yet' })
    await engine.complete(await engine.claimOne('mail'), 'at last')

    expect(await end).toMatchObject({ state: 'done', attempt: 2, output: 'at last' })
  })

  test('serves many at once', async ({ open, engine }) => {
    const tusk = await open({ listen })
    const tasks = await tusk.enqueueTasks(
      Array.from({ length: 50 }, (_, payload) => ({ queue: 'mail', payload })),
    )

    const outputs = Promise.all(tasks.map((task) => task.wait()))
    const claimed = await engine.claim('mail', { limit: 50 })
    await engine.completeMany(
      claimed,
      claimed.map(({ payload }) => payload),
    )

    expect(await outputs).toEqual(Array.from({ length: 50 }, (_, payload) => payload))
  })

  test('ends in time, and the task goes on', async ({ open, engine }) => {
    const tusk = await open({ listen })
    const task = await tusk.enqueueTask({ queue: 'mail' })

    await expect(task.wait({ timeout: 20 })).rejects.toMatchObject({ code: 'wait_timeout' })
    expect(await engine.task(task.id)).toMatchObject({ state: 'ready' })
  })

  test('ends when its signal is aborted', async ({ open }) => {
    const tusk = await open({ listen })
    const task = await tusk.enqueueTask({ queue: 'mail' })
    const controller = new AbortController()

    const output = task.wait({ signal: controller.signal })
    controller.abort(new Error('never mind'))

    await expect(output).rejects.toThrow('never mind')
    await expect(task.wait({ signal: controller.signal })).rejects.toThrow('never mind')
  })

  test('ends when the client is closed', async ({ open }) => {
    const tusk = await open({ listen })
    const task = await tusk.enqueueTask({ queue: 'mail' })

    const refused = expect(task.wait()).rejects.toMatchObject({ code: 'client_closed' })
    await tusk.close()

    await refused
  })

  test('refuses a task that never was', async ({ open }) => {
    const tusk = await open({ listen })

    await expect(tusk.wait('404')).rejects.toMatchObject({ code: 'task_not_found' })
  })
})

describe('a wait', () => {
  test('asks to be rung, so that it need not look again', async ({ tusk, engine }) => {
    const task = await tusk.enqueueTask({ queue: 'mail' })

    const output = task.wait()
    await until(async () => (await engine.value<number>(waiters)) === 1)
    await engine.complete(await engine.claimOne('mail'), 'sent')

    expect(await output).toBe('sent')
  })

  test('shares one connection with all others', async ({ tusk, engine, schema }) => {
    const tasks = await tusk.enqueueTasks(Array.from({ length: 20 }, () => ({ queue: 'mail' })))
    const outputs = Promise.all(tasks.map((task) => task.wait()))
    await until(async () => (await engine.value<number>(waiters)) === 20)

    const listeners = await engine.rows(
      `select from pg_stat_activity where query ilike 'listen%' and query like '%${schema}%'`,
    )
    await engine.completeMany(await engine.claim('mail', { limit: 20 }))

    expect(listeners).toHaveLength(1)
    expect(await outputs).toHaveLength(20)
  })

  test('outlasts a database that goes away and comes back', async ({ open, engine }) => {
    const proxy = await openProxy(inject('pgUrl'))
    const tusk = await open({ database: proxy.url })
    const task = await tusk.enqueueTask({ queue: 'mail' })
    const output = task.wait()
    await until(async () => (await engine.value<number>(waiters)) === 1)

    proxy.cut()
    await engine.complete(await engine.claimOne('mail'), 'meanwhile')
    proxy.restore()

    expect(await output).toBe('meanwhile')
    await tusk.close()
    await proxy.close()
  })

  test('ends in time, or by its signal, although the database went silent', async ({ open }) => {
    const proxy = await openProxy(inject('pgUrl'))
    const tusk = await open({ database: proxy.url })
    const task = await tusk.enqueueTask({ queue: 'mail' })

    proxy.silence()

    await expect(task.wait({ timeout: 20 })).rejects.toMatchObject({ code: 'wait_timeout' })
    await expect(task.wait({ signal: AbortSignal.timeout(20) })).rejects.toThrow(/timeout/)
    const left = expect(task.wait()).rejects.toMatchObject({ code: 'client_closed' })
    await tusk.close()
    await left
    await proxy.close()
  })

  test.for(['10 parsecs', -1, Number.NaN])('refuses a timeout of %s', async (timeout, { tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail' })

    await expect(tusk.wait(id, { timeout: timeout as number })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })

  test('falls back to polling where LISTEN does not work', async ({ schema, open, engine }) => {
    const tusk = await open({ listen: 'postgres://127.0.0.1:1/none', schema })
    const task = await tusk.enqueueTask({ queue: 'mail' })

    const output = task.wait()
    await engine.complete(await engine.claimOne('mail'), 'sent')

    expect(await output).toBe('sent')
  })

  test('listens past a pooler, on a URL of its own', async ({ open, engine, schema }) => {
    const pool = new pg.Pool({ connectionString: inject('pgUrl') })
    const tusk = await open({ database: pool, listen: inject('pgUrl'), schema })
    const task = await tusk.enqueueTask({ queue: 'mail' })

    const output = task.wait()
    await until(async () => (await engine.value<number>(waiters)) === 1)
    await engine.complete(await engine.claimOne('mail'), 'sent')

    expect(await output).toBe('sent')
    await tusk.close()
    await pool.end()
  })
})
