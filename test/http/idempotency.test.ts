import { describe, expect } from 'vitest'
import { adminToken, test } from '../support/http.ts'
import { until } from '../support/until.ts'

const once = (key: string) => ({ headers: { 'idempotency-key': key } })

describe('an Idempotency-Key', () => {
  test('stores nothing for who may only read', async ({ ask, tusk, engine }) => {
    const { token } = await tusk.tokens.create({ name: 'reader', scopes: ['read'] })
    const reader = ask.as(token)

    const parsed = await reader.post('/sql/parse', { sql: 'select 1' }, once('a'))
    const previewed = await reader.post(
      '/schedules/preview',
      { settings: { every: '1 day' } },
      once('b'),
    )
    const refused = await reader.post('/tasks', { queue: 'mail' }, once('c'))

    expect([parsed.status, previewed.status, refused.status]).toEqual([200, 200, 403])
    expect(await engine.value('select count(*)::integer from requests')).toBe(0)
  })

  test('gives the stored answer to a request that is sent again, and does nothing', async ({
    ask,
    engine,
  }) => {
    const first = await ask.post('/tasks', { queue: 'mail' }, once('order 7'))
    const again = await ask.post('/tasks', { queue: 'mail' }, once('order 7'))

    expect(again.status).toBe(201)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await engine.value('select count(*)::integer from task')).toBe(1)
  })

  test('makes one task of two producers at once', async ({ ask, engine }) => {
    const asked = Array.from({ length: 20 }, () =>
      ask.post('/tasks', { queue: 'mail' }, once('order 8')),
    )
    const answers = await Promise.all(asked)

    const made = answers.filter(({ status }) => status === 201)
    const busy = answers.filter(({ status }) => status === 409)
    expect(made.length + busy.length).toBe(20)
    expect(made.length).toBeGreaterThan(0)
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1)
    for (const { body } of busy) expect(body.code).toBe('request_in_progress')
    expect(await engine.value('select count(*)::integer from task')).toBe(1)
  })

  test('tells the second that the first is under way', async ({ ask, connect, db }) => {
    const client = await connect()
    await client.query('begin')
    await client.query("select * from begin_request('bearer start', 'order 9', '\\x00')")

    const { status, body, headers } = await ask.post('/tasks', { queue: 'mail' }, once('order 9'))
    await client.query('rollback')

    expect([status, body.code]).toEqual([409, 'request_in_progress'])
    expect(headers.get('retry-after')).toBe('1')
    expect((await db.query('select from tasks')).rowCount).toBe(0)
  })

  test('belongs to one request', async ({ ask }) => {
    await ask.post('/tasks', { queue: 'mail' }, once('order 7'))

    const { status, body } = await ask.post('/tasks', { queue: 'post' }, once('order 7'))

    expect([status, body.code]).toEqual([422, 'idempotency_key_reused'])
  })

  test('belongs to one caller', async ({ ask, tusk }) => {
    const ada = await tusk.tokens.create({ name: 'ada', scopes: ['enqueue'] })
    const bob = await tusk.tokens.create({ name: 'bob', scopes: ['enqueue'] })

    const first = await ask.as(ada.token).post('/tasks', { queue: 'mail' }, once('1'))
    const other = await ask.as(bob.token).post('/tasks', { queue: 'mail' }, once('1'))

    expect(other.body.id).not.toBe(first.body.id)
  })

  test('of a session stores nothing: its answer is a secret', async ({ ask, engine }) => {
    const opened = await ask.as(null).post('/session', { token: adminToken }, once('login'))

    expect(opened.status).toBe(200)
    expect(await engine.value('select count(*)::integer from requests')).toBe(0)
  })

  test('may try again after a refusal, for nothing happened', async ({ ask, engine }) => {
    const { id } = await engine.inState('done')
    const refused = await ask.post(`/tasks/${id}/cancel`, undefined, once('stop'))
    await engine.retry(id)

    const { status, body } = await ask.post(`/tasks/${id}/cancel`, undefined, once('stop'))

    expect(refused.status).toBe(409)
    expect([status, body.state]).toEqual([200, 'cancelled'])
  })

  test('stores the answers of all that POST does', async ({ ask, engine }) => {
    await engine.enqueue({ queue: 'mail' })
    const claim = () => ask.post('/claims', { queue: 'mail' }, once('take'))
    const first = await claim()
    const again = await claim()
    const [task] = first.body.tasks
    const complete = () =>
      ask.post(`/tasks/${task.id}/complete`, { claim: first.body.claim }, once('end'))

    expect(again.body).toEqual(first.body)
    expect([(await complete()).status, (await complete()).status]).toEqual([204, 204])
  })

  test('waits for the task also when the answer is given again', async ({ ask, engine }) => {
    const options = { headers: { 'idempotency-key': 'slow', prefer: 'wait=20' } }
    await ask.post('/tasks', { queue: 'mail' }, once('slow'))
    const waiting = ask.post('/tasks', { queue: 'mail' }, options)
    await until(async () => (await engine.value('select count(*)::integer from waiters')) === 1)
    await engine.complete(await engine.claimOne('mail'), 'sent')

    const { body, headers } = await waiting

    expect(body.task).toMatchObject({ state: 'done', output: 'sent' })
    expect(headers.get('preference-applied')).toBe('wait=20')
  })

  test.for(['', ' ', 'x'.repeat(256), 'ключ'.normalize()])(
    'has 1 to 255 printable characters, unlike "%s"',
    async (key, { ask }) => {
      const encoded = Buffer.from(key).toString('latin1')

      const { status, body } = await ask.post('/tasks', { queue: 'mail' }, once(encoded))

      expect([status, body.code]).toEqual([422, 'invalid_request'])
    },
  )
})
