import { describe, expect, inject } from 'vitest'
import type { Context } from '../../src/tasks/context.ts'
import { openProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'
import { signalled, test } from '../support/worker.ts'

describe('stopping', () => {
  test('gives back what has not started without charging an attempt', async ({ engine, work }) => {
    const open = signalled()
    const ran: unknown[] = []
    await engine.enqueueMany(Array.from({ length: 40 }, (_, n) => ({ queue: 'mail', payload: n })))
    const worker = await work({
      tasks: {
        mail: async (n: number) => {
          ran.push(n)
          if (n >= 20) await open.promise
        },
      },
      concurrency: 1,
      buffer: 100,
    })
    await until(async () => ran.includes(20) && worker.load.buffered > 0)

    const stopped = worker.stop()
    await until(async () => worker.load.buffered === 0)
    open.resolve()
    await stopped

    expect(
      await engine.rows('select sum(size)::int as n, max(attempt) as attempt from tasks'),
    ).toEqual([{ n: 19, attempt: 0 }])
    expect(await engine.rows('select * from attempt')).toEqual([])
  })

  test('lets running handlers finish, and reports them', async ({ engine, work }) => {
    const started = signalled()
    const open = signalled()
    const { id } = await engine.enqueue({ queue: 'mail' })
    const worker = await work({
      tasks: {
        mail: async () => {
          started.resolve()
          await open.promise
          return 'finished'
        },
      },
    })
    await started.promise

    const stopped = worker.stop()
    open.resolve()
    await stopped

    expect(await engine.task(id)).toMatchObject({ state: 'done', output: 'finished' })
  })

  test('takes nothing more, and leaves the registry', async ({ engine, work }) => {
    const worker = await work({ tasks: { mail: () => {} } })
    expect(await engine.value('select id from worker')).toBe(worker.id)

    await worker.stop()
    await engine.enqueue({ queue: 'mail' })

    expect(await engine.rows('select id from worker')).toEqual([])
    expect(await engine.rows('select * from sleepers')).toEqual([])
    await worker.stopped
  })

  test.for([
    ['that is longer than a timer can be', [30 * 86_400_000]],
    ['at the earliest, when asked again with more', [0, 86_400_000]],
  ] as const)('keeps a deadline %s', async ([, deadlines], { engine, work }) => {
    const started = signalled()
    const open = signalled()
    const { id } = await engine.enqueue({ queue: 'mail' })
    const worker = await work({
      tasks: {
        mail: async (_: unknown, { signal }: { signal: AbortSignal }) => {
          started.resolve()
          if (deadlines.length > 1) signal.addEventListener('abort', () => open.resolve())
          await open.promise
          return signal.aborted
        },
      },
    })
    await started.promise

    const stops = deadlines.map((deadlineMs) => worker.stop({ deadlineMs }))
    if (deadlines.length === 1) {
      // Long enough for a timer that fires at once.
      for (let look = 0; look < 5; look++) await engine.task(id)
      open.resolve()
    }
    await Promise.all(stops)

    expect(await engine.task(id)).toMatchObject({ state: 'done', output: deadlines.length > 1 })
  })

  test('hurries up when asked again with less time', async ({ engine, work }) => {
    const started = signalled()
    const { id } = await engine.enqueue({ queue: 'mail' })
    const worker = await work({
      tasks: {
        mail: async () => {
          started.resolve()
          await new Promise(() => {})
        },
      },
    })
    await started.promise

    const first = worker.stop({ deadlineMs: 3_600_000 })
    await worker.stop({ deadlineMs: 0 })
    await first

    expect(await engine.task(id)).toMatchObject({ state: 'ready', attempt: 0 })
  })
})

describe('stopping comes to its end', () => {
  test('when a handler never ends its transaction, which is undone', async ({
    db,
    engine,
    schema,
    work,
  }) => {
    const started = signalled()
    await db.query('drop table if exists ledger; create table ledger (entry text)')
    const { id } = await engine.enqueue({ queue: 'mail' })
    const worker = await work({
      tasks: {
        mail: (_: unknown, { transaction }: Context) =>
          transaction(async (own) => {
            await own.query(`insert into ${schema}.ledger values ('never')`)
            started.resolve()
            return new Promise<null>(() => {})
          }),
      },
    })
    await started.promise

    await worker.stop({ deadlineMs: 0 })

    expect(await engine.task(id)).toMatchObject({ state: 'ready', attempt: 0 })
    expect(await engine.rows('select * from ledger')).toEqual([])
    await db.query('drop table ledger')
  })

  test('when the database went silent', async ({ engine, work }) => {
    const proxy = await openProxy(inject('pgUrl'))
    const started = signalled()
    const { id } = await engine.enqueue({ queue: 'mail' })
    const worker = await work({
      database: proxy.url,
      tasks: {
        mail: async (_: unknown, { signal }: Context) => {
          started.resolve()
          await new Promise((done) => signal.addEventListener('abort', done))
        },
      },
    })
    await started.promise

    proxy.silence()
    await worker.stop({ deadlineMs: 0 })

    expect(await engine.task(id)).toMatchObject({ state: 'running' })
    await proxy.close()
  })
})

describe('draining', () => {
  test('finishes what runs and stops by itself', async ({ engine, work }) => {
    const started = signalled()
    const open = signalled()
    const { id } = await engine.enqueue({ queue: 'mail' })
    const worker = await work({
      tasks: {
        mail: async () => {
          started.resolve()
          await open.promise
        },
      },
    })
    await started.promise

    await engine.rows('select drain_worker($1)', worker.id)
    await until(() => engine.value('select draining_at is not null from worker'))
    open.resolve()
    await worker.stopped

    expect(await engine.task(id)).toMatchObject({ state: 'done' })
    expect(await engine.rows('select id from worker')).toEqual([])
  })

  test('is heard with the heartbeat when there is no LISTEN', async ({ engine, work }) => {
    const open = signalled()
    await engine.enqueue({ queue: 'mail' })
    const worker = await work({
      tasks: { mail: () => open.promise },
      listen: false,
      leaseMs: 1_000,
    })
    await until(async () => worker.load.running === 1)

    await engine.rows('select drain_worker($1)', worker.id)
    open.resolve()
    await worker.stopped
  })
})
