import { describe, expect, inject } from 'vitest'
import { range } from '../support/crowd.ts'
import { until } from '../support/until.ts'
import { signalled, test } from '../support/worker.ts'

/** Ends the sessions of this test's workers, as an administrator would. */
const cutOff = (what: string) => `
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = $1 and pid <> pg_backend_pid() and query ilike '${what}'`

describe('a worker that loses its connections', () => {
  test('reports later what ended meanwhile', async ({ engine, db, schema, work, allDone }) => {
    const started = signalled()
    const open = signalled()
    const { id } = await engine.enqueue({ queue: 'mail' })
    await work({
      database: named(db.options, schema),
      tasks: {
        mail: async () => {
          started.resolve()
          await open.promise
          return 'kept'
        },
      },
    })
    await started.promise

    await engine.rows(cutOff('%'), schema)
    open.resolve()
    await allDone()

    expect(await engine.task(id)).toMatchObject({ state: 'done', output: 'kept', attempt: 1 })
  })

  test('keeps a result while the database cannot be reached, and makes no failure of it', async ({
    engine,
    work,
    said,
    allDone,
  }) => {
    const rename = (from: string, to: string) => `
      do $$ begin
        execute (select format('alter function %s rename to ${to}', oid::regprocedure) from pg_proc
                 where proname = '${from}' and pronamespace = current_schema()::regnamespace);
      end $$`
    const { id } = await engine.enqueue({ queue: 'mail' })
    await engine.rows(rename('complete_packs', 'complete_packs_later'))
    try {
      await work({ tasks: { mail: () => 'kept' } })
      await until(async () => said.some((line) => line.includes('a report failed; trying again')))
    } finally {
      await engine.rows(rename('complete_packs_later', 'complete_packs'))
    }
    await allDone()

    expect(await engine.task(id)).toMatchObject({ state: 'done', output: 'kept', attempt: 1 })
  })

  test('loses nothing when it happens again and again', async ({
    engine,
    db,
    schema,
    work,
    allDone,
    said,
  }) => {
    let ran = 0
    await work({ database: named(db.options, schema), tasks: { mail: () => ran++ } })
    for (const _ of range(5)) {
      await engine.enqueueMany(range(200).map(() => ({ queue: 'mail' })))
      await engine.rows(cutOff('%'), schema)
    }
    await allDone()

    expect(await engine.value('select coalesce(sum(size), 0)::int from finished')).toBe(1_000)
    expect(ran).toBeGreaterThanOrEqual(1_000)
    expect(said.filter((line) => line.startsWith('the database is gone')).length).toBeLessThan(20)
  })

  test('finds tasks by looking when it cannot listen', async ({ engine, work, allDone }) => {
    await work({ tasks: { mail: () => 'found' }, listen: false, pollMs: 50 })
    await until(() => engine.value('select asleep from worker'))

    await engine.enqueue({ queue: 'mail' })
    await allDone()
  })

  test('finds tasks by looking while its LISTEN is lost', async ({
    engine,
    db,
    schema,
    work,
    allDone,
  }) => {
    await work({ database: named(db.options, schema), tasks: { mail: () => 'found' }, pollMs: 50 })
    await until(() => engine.value('select asleep from worker'))

    await engine.rows(cutOff('listen%'), schema)
    await engine.enqueue({ queue: 'mail' })
    await allDone()
  })

  test('sleeps until a task becomes due', async ({ engine, work, allDone }) => {
    await work({ tasks: { mail: () => 'on time' } })
    await until(() => engine.value('select asleep from worker'))

    await engine.enqueue({ queue: 'mail', runAt: new Date(Date.now() + 400) })
    await allDone()

    expect(await engine.value('select started_at >= run_at from finished')).toBe(true)
  })
})

describe('starting', () => {
  test('waits for a database that is not there yet', async ({ work, said }) => {
    const worker = await work({
      tasks: { mail: () => {} },
      database: { host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' },
    })

    expect(said.join()).toContain('the database is gone')
    await worker.stop()
  })

  test('goes on when the password cannot be had for a moment', async ({
    engine,
    work,
    said,
    allDone,
  }) => {
    const { hostname, port, username, password, pathname } = new URL(inject('pgUrl'))
    let asked = 0
    await engine.enqueue({ queue: 'mail' })
    await work({
      tasks: { mail: () => {} },
      database: {
        host: hostname,
        port: Number(port),
        user: username,
        database: pathname.slice(1),
        password: async () => {
          asked += 1
          // The first connection has it; then the heartbeat asks.
          if (asked === 2) throw new Error('the vault is shut')
          return decodeURIComponent(password)
        },
      },
    })
    await allDone()

    expect(said.join()).toContain('the vault is shut')
  })

  test('says what to do when the schema is not installed', async ({ work }) => {
    await expect(work({ tasks: { mail: () => {} }, schema: 'elsewhere' })).rejects.toMatchObject({
      code: 'schema_missing',
      message: 'Tusk is not installed in the schema elsewhere',
      hint: expect.stringContaining('tusk migrate up'),
    })
  })

  test.for([
    [{ tasks: {} }, 'at least one task'],
    [{ concurrency: 0 }, 'concurrency cannot be 0'],
    [{ queues: [] }, 'at least one queue'],
    [{ queues: { mail: -1 } }, 'the weight of mail'],
  ] as const)('refuses invalid options: %j', async ([options, message], { work }) => {
    await expect(work({ tasks: { mail: () => {} }, ...options })).rejects.toThrow(message)
  })
})

/** The same database under a name by which the test finds the sessions. */
function named(options: object, name: string) {
  const { password, connectionString } = options as { password: string; connectionString: string }
  return { ...options, password, connectionString, application_name: name }
}
