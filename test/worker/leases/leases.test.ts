import { execFileSync } from 'node:child_process'
import { describe, expect, inject } from 'vitest'
import type { Context } from '../../../src/tasks/context.ts'
import { until } from '../../support/until.ts'
import { signalled, test } from '../../support/worker.ts'

/** Lets nothing else happen in this process until a query answers true. */
function blockUntil(query: string): void {
  const script = `import pg from 'pg'
    const client = new pg.Client(process.env.PG_URL)
    await client.connect()
    while (!Object.values((await client.query(process.env.QUERY)).rows[0] ?? {})[0]);
    await client.end()`
  execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, PG_URL: inject('pgUrl'), QUERY: query },
  })
}

describe('a lease', () => {
  test('is renewed for as long as the handler runs', async ({ engine, work, allDone }) => {
    const slow = () => new Promise((done) => setTimeout(done, 9_000))
    // More than twice the lease, which is long enough for a machine that stalls for a second or two.
    await work({ tasks: { mail: slow }, leaseMs: 4_000 })
    // The thread takes longer than a lease to load where others keep the processors busy.
    await until(() =>
      engine.value(`select beat_at > started_at + interval '10 milliseconds' from worker`),
    )
    const { id } = await engine.enqueue({ queue: 'mail' })
    await until(async () => {
      await engine.rescue()
      return engine.value('select not exists (select from tasks)')
    })
    await allDone()

    expect(await engine.task(id)).toMatchObject({ state: 'done', attempt: 1 })
  })

  test('is kept while a handler blocks the event loop, and people can see it', async ({
    engine,
    schema,
    work,
    said,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    // Beyond the lease that it began with, which is long enough for a machine that stalls.
    const isOutlived = `select clock_timestamp() > claimed_at + interval '6 seconds'
      and expires_at > clock_timestamp() from ${schema}.claims`
    await work({ tasks: { mail: () => blockUntil(isOutlived) }, leaseMs: 5_000 })
    await until(async () => (await engine.task(id))?.state === 'done')
    await engine.rescue()

    expect(await engine.task(id)).toMatchObject({ attempt: 1 })
    await until(async () => said.some((line) => line.includes('the event loop was blocked')))
  })

  test('that was lost makes the result worthless', async ({ engine, work, said }) => {
    const started = signalled()
    const open = signalled()
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({
      tasks: {
        mail: async () => {
          started.resolve()
          await open.promise
          return 'stale'
        },
      },
      chores: false,
      // No room: the worker must not be the one that gets it again.
      concurrency: 1,
      buffer: 0,
    })
    await started.promise
    await engine.pass('1 minute', id)
    await engine.rescue()
    const other = await engine.claimOne('mail')

    open.resolve()
    await until(async () => said.some((line) => line.includes('its result is dropped')))
    await engine.complete(other, 'fresh')

    expect(await engine.task(id)).toMatchObject({ state: 'done', output: 'fresh', attempt: 2 })
  })

  test('that was lost and came back to the same worker stops the older run', async ({
    engine,
    work,
    allDone,
  }) => {
    const attempts: number[] = []
    const stopped = signalled<string>()
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({
      tasks: {
        mail: async (_payload: unknown, { attempt, signal }: Context) => {
          attempts.push(attempt)
          if (attempt === 2) return 'second'
          await new Promise<void>((done) => signal.addEventListener('abort', () => done()))
          stopped.resolve(signal.reason.reason)
          return 'first'
        },
      },
      chores: false,
    })
    await until(async () => attempts.length === 1)

    await engine.pass('1 minute', id)
    await engine.rescue()
    await allDone()

    expect(await stopped.promise).toBe('lease_lost')
    expect(await engine.task(id)).toMatchObject({ state: 'done', attempt: 2, output: 'second' })
  })

  test('that cannot be renewed stops the handler before others can be given the task', async ({
    engine,
    db,
    work,
  }) => {
    const stopped = signalled<{ reason: string; expires_in: number }>()
    const started = signalled()
    let runs = 0
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({
      tasks: {
        mail: async (_payload: unknown, { signal }: Context) => {
          runs += 1
          if (runs > 1) return
          started.resolve()
          await new Promise<void>((done) => signal.addEventListener('abort', () => done()))
          const [row] = await engine.rows<{ expires_in: number }>(
            'select extract(epoch from expires_at - clock_timestamp())::float8 as expires_in from claims',
          )
          stopped.resolve({ reason: signal.reason.reason, expires_in: row?.expires_in ?? -1 })
        },
      },
      leaseMs: 8_000,
      chores: false,
    })
    await started.promise

    // A renewal waits for this lock.
    const blocker = await db.connect()
    await blocker.query('begin')
    await blocker.query('lock table workers in access exclusive mode')
    const { reason, expires_in } = await stopped.promise
    await blocker.query('rollback')
    blocker.release()

    expect(reason).toBe('lease_lost')
    expect(expires_in).toBeGreaterThan(0)
    // It was given back, and the worker is well again.
    await until(async () => (await engine.task(id))?.state === 'done')
  })

  test('can be renewed by the handler itself', async ({ engine, work, allDone }) => {
    const left: number[] = []
    await engine.enqueue({ queue: 'mail' })
    const seconds = 'select extract(epoch from expires_at - clock_timestamp())::float8 from claims'
    await work({
      tasks: {
        mail: async (_payload: unknown, { extend, task }: Context) => {
          await engine.pass('5 seconds', task.id)
          left.push(await engine.value<number>(seconds))
          await extend()
          left.push(await engine.value<number>(seconds))
        },
      },
    })
    await allDone()

    expect(left[0]).toBeLessThan(10.5)
    expect(left[1]).toBeGreaterThan(14)
  })
})

describe('the registry', () => {
  test('says who works, where, and on what', async ({ engine, work }) => {
    const { id } = await work({ tasks: { mail: () => {}, print: () => {} }, concurrency: 7 })

    expect(await engine.rows('select * from worker')).toMatchObject([
      { id, pid: process.pid, slots: 7, queues: ['mail', 'print'], host: expect.any(String) },
    ])
  })

  test('takes a worker back that had been forgotten', async ({ engine, work, said }) => {
    const started = signalled()
    const open = signalled()
    await engine.enqueue({ queue: 'mail' })
    const { id } = await work({
      tasks: {
        mail: () => {
          started.resolve()
          return open.promise
        },
      },
      leaseMs: 1_000,
    })
    await started.promise

    await engine.rows('select forget_workers($1)', [id])
    await until(() => engine.value('select count(*) = 1 from worker'))

    // The thread registers first and tells the worker then.
    await until(async () => said.join().includes('registered again'))
    open.resolve()
  })
})
