import pg from 'pg'
import { expect, inject } from 'vitest'
import { adminToken, otherwise, test } from '../support/http.ts'
import { openAsk } from '../support/http-ask.ts'

test('a statement that takes too long is stopped, and the answer says so', async ({
  serve,
  connect,
  schema,
}) => {
  const http = await serve({ readTimeoutMs: 200 })
  const ask = await openAsk(http, adminToken)
  const client = await connect()
  await client.query('begin')
  await client.query(`lock table ${schema}.finished in access exclusive mode`)

  const { status, headers, body } = await ask.get('/tasks/42')
  await client.query('rollback')

  expect([status, body.code]).toEqual([503, 'statement_timeout'])
  expect(headers.get('retry-after')).toBe('1')
})

test('a database that is away is reported as such, without saying where it is', async ({
  serve,
  tusk,
}) => {
  const { port } = new pg.Client(inject('pgUrl'))
  const nowhere = new pg.Pool({ host: '127.0.0.1', port: 1, user: 'tusk', database: 'tusk' })
  const away = otherwise(tusk, { pool: nowhere })
  const http = await serve({ tusk: away })
  const ask = await openAsk(http, adminToken)

  const { status, headers, body } = await ask.get('/tasks/42')
  const ready = await ask.get('~/readyz')
  const alive = await ask.get('~/healthz')
  await nowhere.end()

  expect([status, body.code]).toEqual([503, 'database_unreachable'])
  expect(headers.get('retry-after')).toBe('1')
  expect(JSON.stringify(body)).not.toMatch(new RegExp(`127\\.0\\.0\\.1|${port}`))
  expect([ready.status, alive.status]).toEqual([503, 200])
})
