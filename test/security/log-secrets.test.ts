import { fileURLToPath } from 'node:url'
import { describe, expect, inject } from 'vitest'
import { defineChore } from '../../src/chores/chore.ts'
import { startWorker } from '../../src/worker/worker.ts'
import {
  canary,
  expectNoCanary,
  leakyError,
  listeningLogger,
  secretUrl,
} from '../support/canaries.ts'
import { test as httpTest, otherwise } from '../support/http.ts'
import { test as processTest, startProcess } from '../support/processes.ts'
import { test as sqlTest } from '../support/sql-tasks.ts'
import { until } from '../support/until.ts'

const script = fileURLToPath(new URL('./log-secrets-process.mjs', import.meta.url))

describe('a worker', () => {
  sqlTest(
    'logs no secret of errors that handlers and chores throw',
    async ({ work, engine, allDone }) => {
      const { logger, lines } = listeningLogger()
      await engine.enqueue({ queue: 'leak', maxAttempts: 1, payload: { card: canary } })

      await work({
        logger,
        tasks: { leak: () => Promise.reject(leakyError()) },
        chores: {
          chores: [
            defineChore({ name: 'leaky', everyMs: 50, run: () => Promise.reject(leakyError()) }),
          ],
        },
      })
      await allDone()
      await until(async () => lines.some((line) => line.includes('a chore failed')))

      expectNoCanary(lines.join('\n'))
      expect(lines.find((line) => line.includes('a chore failed'))).toContain(
        'cannot use postgres://app:***@db.example.org:5432/app with password=***',
      )
    },
  )

  sqlTest(
    'logs and stores no secret of a registered connection that fails',
    async ({ work, engine, runSql }) => {
      const { logger, lines } = listeningLogger()
      const { hostname, port } = new URL(inject('pgUrl'))
      const secrets: Record<string, () => string> = {
        wrong_password: () => canary,
        no_server: () => canary,
        whole: () => `host=127.0.0.1 port=1 user=u password=${canary}`,
        whole_uri: () => `postgres://u:${canary}@127.0.0.1:1/db`,
        no_string: () => canary,
        unknown_option: () => `host=127.0.0.1 password=${canary} ${canary}=1`,
        broken: () => {
          throw leakyError()
        },
      }
      const places: Record<string, object> = {
        wrong_password: { host: hostname, port, user: 'postgres', dbname: 'postgres' },
        no_server: { host: '127.0.0.1', port: 1, user: 'u' },
      }
      for (const name of Object.keys(secrets)) {
        await engine.rows('select set_connection($1, $2)', name, {
          ...places[name],
          secret: { callback: name },
        })
      }
      await work({ logger, sql: { connections: secrets } })

      for (const connection of Object.keys(secrets)) {
        const { state, error } = await runSql({ sql: 'select 1', connection })
        expect(state).toBe('failed')
        expectNoCanary(JSON.stringify(error))
      }
      expectNoCanary(lines.join('\n'))
    },
  )

  sqlTest('logs no password of a database that it cannot reach', async ({ schema }) => {
    const { logger, lines } = listeningLogger()
    const at = new URL(inject('pgUrl'))
    const urls = [
      `postgres://app:${canary}@127.0.0.1:1/app`,
      `postgres://postgres:${canary}@${at.host}/postgres`,
      `postgres://app:${canary}@127.0.0.1:1,127.0.0.1:2/app?password=${canary}`,
      `postgres:///app?host=127.0.0.1&port=1&password=${canary}`,
    ]
    for (const database of urls) {
      const starting = startWorker({
        database,
        schema,
        logger,
        tasks: {},
        queues: ['none'],
        signals: false,
      })
      const failed = starting.then(
        async (worker) => {
          await worker.stop({ deadlineMs: 0 })
          return ''
        },
        (error: Error) => `${error.message} ${error.stack}`,
      )
      expectNoCanary(await failed)
    }
    expectNoCanary(lines.join('\n'))
  })

  processTest(
    'writes no secret to standard output with the logger that it has by default',
    async ({ build, db: _, schema }) => {
      const child = startProcess(
        [script],
        {
          BUILD: build,
          DATABASE_URL: inject('pgUrl'),
          SCHEMA: schema,
          SECRET_URL: secretUrl,
          TUSK_LOG_LEVEL: 'trace',
        },
        ['sh', '-c', 'exec "$0" "$@" 2>&1'],
      )
      try {
        await child.says('a chore failed')
        await child.says('ready')
        child.send('SIGTERM')
        await child.ended
      } finally {
        child.send('SIGKILL')
      }

      expect(child.lines.join('\n')).toContain('a request failed')
      expectNoCanary(child.lines.join('\n'))
    },
  )
})

describe('a server', () => {
  httpTest(
    'logs and answers nothing of an error that it did not expect',
    async ({ tusk, serve }) => {
      const { logger, lines } = listeningLogger()
      const broken = otherwise(tusk, { enqueueTask: () => Promise.reject(leakyError()) })
      const doors = [
        await serve({ logger, tusk: broken }),
        await serve({ logger, authenticate: () => Promise.reject(leakyError()) }),
      ]
      for (const door of doors) {
        const answer = await door.fetch(
          new Request('http://tusk.test/api/v1/tasks', {
            method: 'POST',
            headers: {
              authorization: `Bearer tusk_testtest_${'a'.repeat(43)}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify({ queue: 'mail', payload: { card: canary } }),
          }),
        )
        expect(answer.status).toBe(500)
        expectNoCanary(await answer.text())
      }
      expect(lines).toHaveLength(2)
      expectNoCanary(lines.join('\n'))
    },
  )

  httpTest('logs no token and no cookie, whether right or wrong', async ({ ask, serve, tusk }) => {
    const { logger, lines } = listeningLogger()
    const door = await serve({ logger })
    const { token } = await tusk.tokens.create({ name: 'ada', scopes: ['read'] })
    const send = (path: string, init: RequestInit) =>
      door.fetch(new Request(`http://tusk.test${path}`, init))
    const json = { 'content-type': 'application/json' }
    const login = { method: 'POST', headers: json, body: JSON.stringify({ token }) }
    const cookie =
      (await send('/api/v1/session', login)).headers.get('set-cookie')?.split(';')[0] ?? ''
    const answers = [
      await send('/api/v1/queues', { headers: { authorization: `Bearer ${canary}` } }),
      await send('/api/v1/queues', { headers: { authorization: `Basic ${canary}` } }),
      await send('/api/v1/queues', { headers: { cookie: `tusk_session=${canary}` } }),
      await send(`/api/v1/queues?token=${canary}`, {}),
      await send('/api/v1/session', { ...login, body: JSON.stringify({ token: canary }) }),
      await send('/api/v1/session', { ...login, body: `{"token": "${canary}` }),
      await send('/api/v1/session', { ...login, body: JSON.stringify({ token: [canary] }) }),
      await send('/api/v1/queues', { headers: { cookie } }),
      await send('/metrics', { headers: { authorization: `Bearer ${token}` } }),
    ]
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    const made = await ask.post('/tokens', { name: 'bob', scopes: ['read'] })

    expect(answers.map(({ status }) => status)).toEqual([
      401, 401, 401, 401, 401, 400, 422, 200, 200,
    ])
    expect(made.body.token).toMatch(/^tusk_/)
    const all = [...lines, ...bodies].join('\n')
    expectNoCanary(all)
    for (const secret of [token, made.body.token, cookie.split('=')[1] ?? '']) {
      expect(secret).not.toBe('')
      expect(all).not.toContain(secret)
    }
  })
})
