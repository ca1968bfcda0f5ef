import pg from 'pg'
import { expect, inject, onTestFinished } from 'vitest'
import { Listener } from '../../src/db/listen.ts'
import { describeBehindPgBouncer, openPgBouncer, test } from '../support/pgbouncer.ts'
import { until } from '../support/until.ts'

const mail = { mail: async () => 'sent' }
const reason = 'a pooler in transaction mode is in between'

describeBehindPgBouncer('what needs a session, behind PgBouncer in transaction mode', () => {
  test('is not listened to: LISTEN says why, and leaves nothing behind', async ({ pooler, db }) => {
    const lost: unknown[] = []
    const listener = new Listener({
      newClient: () => new pg.Client(pooler.url),
      onLost: (error) => lost.push(error),
    })
    listener.hear('tusk:bell', { onMessage: () => {} })
    await until(async () => lost.length > 0)

    expect(listener.isListening).toBe(false)
    expect(String(lost[0])).toContain(reason)
    const { rows } = await db.query(`select from pg_stat_activity where query ilike 'listen%bell%'`)
    expect(rows).toEqual([])
    await listener.close()
  })

  test('a worker says so and polls', async ({ pooler, open, work, said }) => {
    await work({ database: pooler.url, tasks: mail })
    const tusk = await open()

    const task = await tusk.enqueueTask({ queue: 'mail' })

    expect(await task.wait({ timeout: 60_000 })).toBe('sent')
    await until(async () => said.some((line) => line.includes(reason)))
  })

  test('a worker listens where it is configured to', async ({
    pooler,
    open,
    work,
    said,
    engine,
  }) => {
    await work({ database: pooler.url, listen: inject('pgUrl'), tasks: mail })
    await until(() => engine.value('select exists (select from sleepers)'))
    const tusk = await open()

    const task = await tusk.enqueueTask({ queue: 'mail' })

    expect(await task.wait({ timeout: 60_000 })).toBe('sent')
    expect(said.filter((line) => line.includes(reason))).toEqual([])
  })

  test('a worker leads no chores by session locks, and says so', async ({
    pooler,
    work,
    said,
    engine,
  }) => {
    await work({ database: pooler.url, tasks: mail, chores: { strategy: 'advisory' } })

    await until(async () => said.some((line) => line.includes('cannot hold advisory locks')))

    expect(await engine.value('select max(term) from chores')).toBe('0')
  })

  test('a SQL task is refused, before its role could be left to others', async ({
    pooler,
    open,
    work,
    producer,
  }) => {
    await work({ database: pooler.url, sql: true, queues: ['sql'] })
    const tusk = await open()

    const task = await tusk.sql('vacuum', { maxAttempts: 1 })

    expect(await tusk.waitForEnd(task.id, { timeout: 60_000 })).toMatchObject({
      state: 'failed',
      error: { code: 'connection_failed', message: expect.stringContaining(reason) },
    })
    const client = await producer()
    const { rows } = await client.query('select current_user = session_user as own')
    expect(rows).toEqual([{ own: true }])
  })

  test('a client listens past the pooler where it is configured to', async ({ open, engine }) => {
    const tusk = await open({ listen: inject('pgUrl') })
    const task = await tusk.enqueueTask({ queue: 'mail' })

    const output = task.wait()
    await until(() => engine.value('select exists (select from waiters)'))
    await engine.complete(await engine.claimOne('mail'), 'sent')

    expect(await output).toBe('sent')
  })
})

describeBehindPgBouncer('behind PgBouncer in session mode', () => {
  test('all of it works, since sessions are kept', async ({ schema, work, said, open, engine }) => {
    const pooler = await openPgBouncer({ mode: 'session', poolSize: 40 })
    onTestFinished(pooler.close)
    const worker = await work({
      database: pooler.url,
      sql: true,
      tasks: mail,
      queues: ['mail', 'sql'],
    })
    const tusk = await open({ database: pooler.url, schema })

    const [sent, one] = [await tusk.enqueueTask({ queue: 'mail' }), await tusk.sql('select 1 as n')]
    const ends = Promise.all([sent.wait(), one.wait()])

    expect(await ends).toMatchObject(['sent', { results: [{ rows: [['1']] }] }])
    await until(() =>
      engine.value(
        `select exists (select from pg_stat_activity where query = 'listen "${schema}:finished"')`,
      ),
    )
    expect(said.filter((line) => line.includes(reason))).toEqual([])
    await worker.stop({ deadlineMs: 0 })
    await tusk.close()
  })
})
