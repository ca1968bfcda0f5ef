import { describe, expect } from 'vitest'
import type { Context } from '../../src/tasks/context.ts'
import { until } from '../support/until.ts'
import { signalled, test } from '../support/worker.ts'

describe('while it runs, a handler', () => {
  test('goes on when news come that an earlier claim of its task was cancelled', async ({
    engine,
    work,
    db,
    schema,
  }) => {
    const { id, claim } = await engine.running({ payload: 'again' })
    await engine.cancel(id)
    await engine.rows('select retry($1)', id)
    const witness = await engine.enqueue({ queue: 'mail', payload: 'witness' })
    const heard = signalled()
    let running = 0
    await work({
      tasks: {
        mail: async (payload: unknown, { signal }: Context) => {
          running += 1
          if (payload === 'witness') signal.addEventListener('abort', () => heard.resolve())
          await heard.promise
          return signal.aborted
        },
      },
    })
    await until(async () => running === 2)

    // They come by another connection than the claim, and may come later.
    await db.query('select pg_notify($1, $2)', [`${schema}:cancel`, `${id} ${claim}`])
    await engine.cancel(witness.id)

    await until(async () => (await engine.task(id))?.state === 'done')
    expect(await engine.task(id)).toMatchObject({ output: false, attempt: 1 })
  })

  test('sees its task', async ({ engine, work, allDone }) => {
    const { id } = await engine.enqueue({
      queue: 'mail',
      key: 'k',
      tags: ['a'],
      timeout: '1 hour',
      meta: { by: 'test' },
    })
    const seen = signalled<Context['task']>()
    await work({ tasks: { mail: (_payload: unknown, { task }: Context) => seen.resolve(task) } })
    await allDone()

    expect(await seen.promise).toMatchObject({
      id,
      queue: 'mail',
      key: 'k',
      tags: ['a'],
      attempt: 1,
      timeout: '01:00:00',
      meta: { by: 'test' },
      iteration: 0,
      createdAt: expect.any(Date),
      leaseExpiresAt: expect.any(Date),
    })
  })

  test('tells how far it has come', async ({ engine, work }) => {
    const shown = signalled()
    const open = signalled()
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({
      tasks: {
        mail: async (_payload: unknown, { progress }: Context) => {
          await progress({ pages: 3 })
          shown.resolve()
          await open.promise
        },
      },
    })
    await shown.promise

    expect(await engine.task(id)).toMatchObject({ progress: { pages: 3 } })
    open.resolve()
  })

  test('writes lines that stay with the task, up to its very end', async ({
    engine,
    work,
    allDone,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({
      tasks: {
        mail: (_payload: unknown, { log }: Context) => {
          log('begin')
          log('half\0way', 'warn')
          log('x'.repeat(5_000), 'debug')
        },
      },
    })
    await allDone()

    const text = 'select level, message from task_log where task = $1 order by message'
    expect(await engine.rows(text, id)).toEqual([
      { level: 'info', message: 'begin' },
      { level: 'warn', message: 'halfway' },
      { level: 'debug', message: 'x'.repeat(4_000) },
    ])
  })

  test('keeps no more than a thousand lines', async ({ engine, work, allDone }) => {
    await engine.enqueue({ queue: 'mail' })
    await work({
      tasks: {
        mail: (_payload: unknown, { log }: Context) => {
          for (let n = 0; n < 1_500; n++) log(`line ${n}`)
        },
      },
    })
    await allDone()

    expect(await engine.value('select count(*)::int from task_log')).toBe(1_000)
  })

  test('whose task was taken away learns so, and is stopped', async ({ engine, work }) => {
    const refused = signalled<unknown>()
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({
      listen: false,
      tasks: {
        mail: async (_payload: unknown, { progress, signal }: Context) => {
          await engine.cancel(id)
          await progress(1).catch(refused.resolve)
          signal.throwIfAborted()
        },
      },
    })

    expect(await refused.promise).toMatchObject({ code: 'lease_lost' })
  })
})

describe("a task's transaction", () => {
  const newTable = 'drop table if exists effects; create table effects (task bigint)'
  const write = 'insert into effects (task) values ($1)'

  test('commits its writes and the completion together', async ({ engine, db, work, allDone }) => {
    await db.query(newTable)
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({
      database: db,
      tasks: {
        mail: async (_payload: unknown, { transaction, task }: Context) => {
          const output = await transaction(async (tx) => {
            await tx.query(write, [task.id])
            return 'written'
          })
          return `${output}, and this is not reported`
        },
      },
    })
    await allDone()

    expect(await engine.task(id)).toMatchObject({ state: 'done', output: 'written' })
    expect(await engine.rows('select * from effects')).toEqual([{ task: id }])
  })

  test('is undone when the lease was lost meanwhile', async ({
    engine,
    db,
    work,
    allDone,
    said,
  }) => {
    await db.query(newTable)
    const { id } = await engine.enqueue({ queue: 'mail' })
    const refused = signalled<unknown>()
    await work({
      database: db,
      chores: false,
      listen: false,
      tasks: {
        mail: async (_payload: unknown, { transaction, task }: Context) => {
          await transaction(async (tx) => {
            await tx.query(write, [task.id])
            await engine.cancel(task.id)
            return null
          }).catch((error: unknown) => {
            refused.resolve(error)
            throw error
          })
        },
      },
    })
    await allDone()

    expect(await refused.promise).toMatchObject({ code: 'lease_lost' })
    expect(await engine.rows('select * from effects')).toEqual([])
    expect(await engine.task(id)).toMatchObject({ state: 'cancelled' })
    await until(async () => said.some((line) => line.includes('its result is dropped')))
  })

  test('that fails because something else is gone does not count as a lost database', async ({
    engine,
    work,
    allDone,
    said,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail', maxAttempts: 1 })
    const refusal = Object.assign(new Error('the mail server is off'), { code: 'ECONNREFUSED' })
    await work({
      tasks: {
        mail: (_: unknown, { transaction }: Context) => transaction(() => Promise.reject(refusal)),
      },
    })
    await allDone()

    expect(await engine.task(id)).toMatchObject({ error: { message: 'the mail server is off' } })
    expect(said.join()).not.toContain('the database is gone')
  })

  test('is undone when its work fails, and the task is tried again', async ({
    engine,
    db,
    work,
  }) => {
    await db.query(newTable)
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({
      database: db,
      tasks: {
        mail: (_payload: unknown, { transaction, task }: Context) =>
          transaction(async (tx) => {
            await tx.query(write, [task.id])
            throw new Error('half way')
          }),
      },
    })
    await until(async () => (await engine.task(id))?.state === 'retrying')

    expect(await engine.rows('select * from effects')).toEqual([])
  })
})
