import { expect, inject, onTestFinished } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { createHttp } from '../../src/http/app.ts'
import { tusk as cli } from '../support/cli.ts'
import { adminToken } from '../support/http.ts'
import { listening } from '../support/listening.ts'
import { describeBehindPgBouncer, openPgBouncer, test } from '../support/pgbouncer.ts'
import { until } from '../support/until.ts'

const authorization = `Bearer ${adminToken}`
const headers = { authorization, 'content-type': 'application/json' }

describeBehindPgBouncer('behind PgBouncer in transaction mode', () => {
  test('the HTTP door looks and changes, and stops what takes too long', async ({
    open,
    engine,
  }) => {
    const tusk = await open()
    const http = await createHttp({ tusk, token: adminToken, logger: false, readTimeoutMs: 2_000 })
    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await http.fetch(new Request(`http://localhost${path}`, { headers, ...init }))
      return { status: answer.status, text: await answer.text() }
    }

    const body = JSON.stringify({ queue: 'mail', payload: { to: 'ada' } })
    const enqueued = await ask('/api/v1/tasks', { method: 'POST', body })
    const { id } = JSON.parse(enqueued.text)
    const seen = await ask(`/api/v1/tasks/${id}`)
    const cancelled = await ask(`/api/v1/tasks/${id}/cancel`, { method: 'POST' })
    const metrics = await ask('/metrics')

    expect([enqueued, seen, cancelled, metrics].map(({ status }) => status)).toEqual([
      201, 200, 200, 200,
    ])
    expect(JSON.parse(seen.text)).toMatchObject({ id, queue: 'mail', payload: { to: 'ada' } })
    expect(metrics.text).toContain('tusk_tasks{queue="mail"')
    expect(await engine.value('select count(*)::integer from audit')).toBe(1)
    await http.close()
  })

  test('a look that takes too long is stopped', async ({ open, connect }) => {
    const tusk = await open()
    const http = await createHttp({ tusk, token: adminToken, logger: false, readTimeoutMs: 300 })
    const { id } = await tusk.enqueueTask({ queue: 'mail' })
    const locker = await connect()
    await locker.query('begin; lock table tasks in access exclusive mode')

    const answer = await http.fetch(
      new Request(`http://localhost/api/v1/tasks/${id}`, { headers: { authorization } }),
    )
    await locker.query('rollback')

    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ code: 'statement_timeout' })
    await http.close()
  })

  test('tusk serve listens past the pooler with DIRECT_DATABASE_URL', async ({
    pooler,
    schema,
    engine,
  }) => {
    await engine.value('select 1')
    const env = {
      DATABASE_URL: pooler.url,
      DIRECT_DATABASE_URL: inject('pgUrl'),
      TUSK_SCHEMA: schema,
      TUSK_HTTP_PORT: '0',
    }
    const token = JSON.parse(
      (await cli(['token', 'create', 'me', '--scope', 'admin', '-o', 'json'], env)).data,
    ).token

    const { code } = await listening(['serve'], env, async ({ url }) => {
      const claiming = fetch(`${url}/api/v1/claims`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${token}`, prefer: 'wait=20' },
        body: JSON.stringify({ queue: 'mail', worker: 'me' }),
      })
      await until(() =>
        engine.value(
          `select exists (select from pg_stat_activity where query = 'listen "${schema}:ready"')`,
        ),
      )
      await engine.enqueue({ queue: 'mail' })
      expect((await claiming).status).toBe(201)
    })

    expect(code).toBe(0)
  })

  test('the command line enqueues SQL, lists tasks and waits', async ({
    pooler,
    schema,
    work,
    engine,
  }) => {
    await engine.enqueue({ queue: 'mail', payload: { to: 'ada' } })
    await work({ sql: true, queues: ['sql'] })
    const env = { DATABASE_URL: pooler.url, TUSK_SCHEMA: schema }
    const never = () => new Promise<void>(() => {})

    const listed = await cli(['task', 'list'], env)
    const waited = await cli(['sql', 'select 6 * 7 as answer', '--wait', '15'], env, never)

    expect(listed.code).toBe(0)
    expect(JSON.parse(listed.data)).toMatchObject([{ queue: 'mail', payload: { to: 'ada' } }])
    expect(waited).toMatchObject({ code: 0, data: expect.stringContaining('42') })
  })

  test.for([1, 3])(
    'the doctor finds the pooler, with %i connections',
    async (poolSize, { schema, db }) => {
      await db.query('select')
      const pooler = await openPgBouncer({ poolSize })
      onTestFinished(pooler.close)
      const env = { DATABASE_URL: pooler.url, TUSK_SCHEMA: schema }

      const { data } = await cli(['doctor', '--only', 'pooler', '-o', 'json'], env)

      expect(JSON.parse(data)).toMatchObject([{ check: 'pooler', level: 'warning' }])
    },
  )

  test('the doctor finds nothing against one in session mode', async ({ schema, db }) => {
    await db.query('select')
    const pooler = await openPgBouncer({ mode: 'session' })
    onTestFinished(pooler.close)
    const env = { DATABASE_URL: pooler.url, TUSK_SCHEMA: schema }

    const { data } = await cli(['doctor', '--only', 'pooler', '-o', 'json'], env)

    expect(JSON.parse(data)).toMatchObject([{ check: 'pooler', level: 'ok' }])
  })

  test('a schema is installed, and installed again', async ({ pooler, db, schema }) => {
    const other = `${schema}_other`

    const first = await migrate(pooler.url, { schema: other, roles: false })
    const again = await migrate(pooler.url, { schema: other, roles: false })
    await db.query(`drop schema ${other} cascade`)

    expect(first.applied.length).toBeGreaterThan(10)
    expect(again.applied).toEqual([])
  })
})
