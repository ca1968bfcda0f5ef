import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { Tusk } from '../../src/client/tusk.ts'
import type { Context } from '../../src/tasks/context.ts'
import { defineTask } from '../../src/tasks/define-task.ts'
import { openHere } from '../support/testing.ts'

const double = ({ of }: { of: number }) => of * 2

describe('runAll', () => {
  test('runs what is due inside the await, and tells what came of it', async () => {
    await using here = await openHere({ double })
    await here.tusk.enqueue('double', { of: 21 })

    const ran = await here.runAll()

    expect(ran).toMatchObject([
      { name: 'double', attempt: 1, payload: { of: 21 }, outcome: 'done', state: 'done' },
    ])
    expect(ran[0]?.output).toBe(42)
  })

  test('runs in order of priority within a queue, and of time across queues', async () => {
    const order: string[] = []
    const note = ({ as }: { as: string }) => void order.push(as)
    await using here = await openHere({ one: note, other: note })
    await here.tusk.enqueue('one', { as: 'low' })
    await here.tusk.enqueue('other', { as: 'elsewhere' })
    await here.tusk.enqueue('one', { as: 'high' }, { priority: 5 })

    await here.runAll()

    expect(order).toEqual(['high', 'low', 'elsewhere'])
  })

  test('leaves what is not due yet', async () => {
    await using here = await openHere({ double })
    await here.tusk.enqueue('double', { of: 1 }, { delay: '1 hour' })

    expect(await here.runAll()).toEqual([])
  })

  test('runs what a handler enqueues as well', async () => {
    let client: Tusk | undefined
    const begin = async () =>
      void (await client?.enqueueTask({ queue: 'double', payload: { of: 2 } }))
    await using here = await openHere({ begin, double })
    client = here.tusk
    await here.tusk.enqueue('begin')

    const ran = await here.runAll()

    expect(ran.map(({ name }) => name)).toEqual(['begin', 'double'])
  })

  test('runs tasks in whatever queue they wait', async () => {
    await using here = await openHere({ double })
    await here.tusk.enqueue('double', { of: 1 }, { queue: 'elsewhere' })

    expect(await here.runAll()).toMatchObject([{ queue: 'elsewhere', outcome: 'done' }])
  })

  test('hands many tasks to a batch handler, which answers for each', async () => {
    const sum = defineTask({
      name: 'sum',
      batch: {
        size: 10,
        run: async (batch: readonly { payload: { of: number } }[]) =>
          batch.map(({ payload }) => (payload.of < 0 ? new Error('negative') : batch.length)),
      },
    })
    await using here = await openHere([sum])
    await here.tusk.enqueueMany([1, 2, -3].map((of) => ({ name: 'sum', payload: { of } })))

    const ran = await here.runAll()

    expect(ran).toMatchObject([
      { outcome: 'done', output: 3 },
      { outcome: 'done', output: 3 },
      { outcome: 'failed', error: { message: 'negative' } },
    ])
  })

  test('fails a payload of another shape without calling the handler', async () => {
    let calls = 0
    const greet = defineTask({
      name: 'greet',
      schema: z.object({ name: z.string() }),
      run: () => void calls++,
    })
    await using here = await openHere([greet])
    const raw = await Tusk.open({ database: here.pool, schema: here.schema })
    await raw.enqueueTask({ queue: 'greet', payload: { name: 7 } })

    const ran = await here.runAll()

    expect(ran).toMatchObject([{ state: 'failed', error: { code: 'invalid_payload' } }])
    expect(calls).toBe(0)
    await raw.close()
  })

  test('ends a run that takes longer than its task may', async () => {
    const slow = (_: object, { signal }: Context) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    await using here = await openHere({ slow })
    await here.tusk.enqueue('slow', {}, { timeout: 20, maxAttempts: 1 })

    expect(await here.runAll()).toMatchObject([
      { outcome: 'failed', state: 'failed', error: { code: 'timeout' } },
    ])
  })

  test('gives up a handler that does not obey its signal', async () => {
    const deaf = { timeout: '20 milliseconds', run: () => new Promise(() => {}) }
    await using here = await openHere({ deaf })
    await here.tusk.enqueueTask({ queue: 'deaf', maxAttempts: 1 })

    expect(await here.runAll()).toMatchObject([{ state: 'failed', error: { code: 'timeout' } }])
  })

  test('runs the middleware around each handler', async () => {
    await using here = await openHere(
      { double },
      { middleware: async (_context, next) => Number(await next()) + 1 },
    )
    await here.tusk.enqueue('double', { of: 4 })

    expect(await here.runAll()).toMatchObject([{ output: 9 }])
  })

  test('keeps the progress and the lines of a task', async () => {
    const tell = async (_: object, { progress, log, extend }: Context) => {
      await progress({ done: 1 })
      log('half way', 'warn')
      await extend()
    }
    await using here = await openHere({ tell })
    const { id } = await here.tusk.enqueue('tell', {})

    await here.runAll({ throwOnError: true })

    expect(await here.tusk.tasks.logs(id)).toMatchObject([{ level: 'warn', message: 'half way' }])
  })

  test('tells when a task was cancelled while it ran', async () => {
    let client: Tusk | undefined
    const cancelled = (_: object, { task }: Context) => client?.tasks.cancel(task.id)
    await using here = await openHere({ cancelled })
    client = here.tusk
    await here.tusk.enqueue('cancelled', {})

    expect(await here.runAll()).toMatchObject([{ outcome: 'lost', state: 'cancelled' }])
  })
})

describe('run', () => {
  test('runs no more than asked for', async () => {
    await using here = await openHere({ double })
    await here.tusk.enqueueMany([1, 2, 3].map((of) => ({ name: 'double', payload: { of } })))

    expect(await here.run(2)).toHaveLength(2)
    expect(await here.enqueued()).toHaveLength(1)
  })
})

describe('the transaction of a handler', () => {
  const pay = ({ funds }: { funds: boolean }, { transaction, task }: Context) =>
    transaction(async (db) => {
      await db.query('insert into pg_temp.payments values ($1)', [task.id])
      if (!funds) throw new Error('no funds')
      return { paid: true }
    })

  /** One connection, so that all statements see its temporary table. */
  async function openWithPayments() {
    const pool = new pg.Pool({ connectionString: inject('pgUrl'), max: 1 })
    await pool.query('create temporary table payments (task bigint)')
    const here = await openHere({ pay }, { database: pool })
    const payments = async () => (await pool.query('select task from payments')).rows
    const close = async () => {
      await here.close()
      await pool.end()
    }
    return { here, payments, [Symbol.asyncDispose]: close }
  }

  test('completes the task with its own commit', async () => {
    await using opened = await openWithPayments()
    const { here, payments } = opened
    const { id } = await here.tusk.enqueue('pay', { funds: true })

    expect(await here.runAll()).toMatchObject([
      { outcome: 'done', state: 'done', output: { paid: true } },
    ])
    expect(await payments()).toEqual([{ task: id }])
  })

  test('leaves nothing behind when it rolls back, and the task is tried again', async () => {
    await using opened = await openWithPayments()
    const { here, payments } = opened
    await here.tusk.enqueue('pay', { funds: false })

    expect(await here.runAll()).toMatchObject([{ outcome: 'failed', state: 'retrying' }])
    expect(await payments()).toEqual([])
  })
})
