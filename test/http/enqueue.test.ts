import { describe, expect } from 'vitest'
import { adminToken, test } from '../support/http.ts'
import { openAsk } from '../support/http-ask.ts'
import { until } from '../support/until.ts'

describe('POST /tasks', () => {
  test('stores a task with all that can be said of it', async ({ ask }) => {
    const given = {
      queue: 'mail',
      payload: { to: 'ada', n: 9007199254740991 },
      handler: 'send',
      priority: 3,
      run_at: '2100-01-01T10:00:00+02:00',
      key: 'order 7',
      groups: ['customer 42'],
      tags: ['web'],
      version: 2,
      max_attempts: 4,
      backoff: { kind: 'fixed', base: '10 seconds' },
      timeout: '30 seconds',
      deadline: '2100-01-02T00:00:00Z',
      retention: '1 day',
      meta: { from: 'test' },
    }

    const made = await ask.post('/tasks', given)
    const { body } = await ask.get(`/tasks/${made.body.id}`)

    const { backoff: _, retention: __, ...seen } = given
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`/api/v1/tasks/${made.body.id}`)
    expect(body).toMatchObject({
      ...seen,
      state: 'scheduled',
      run_at: '2100-01-01T08:00:00.000Z',
      deadline: '2100-01-02T00:00:00.000Z',
      timeout: '00:00:30',
    })
  })

  test('stores many, all or none', async ({ ask, engine }) => {
    const { status, body } = await ask.post('/tasks', {
      tasks: [{ queue: 'mail' }, { queue: 'post', delay: '1 hour' }],
    })
    const refused = await ask.post('/tasks', {
      tasks: [{ queue: 'mail' }, { queue: 'mail', timeout: '-1 hour' }],
    })

    expect(status).toBe(201)
    expect(body.tasks).toMatchObject([{ outcome: 'created' }, { outcome: 'created' }])
    expect(refused.status).toBe(422)
    expect(await engine.value('select count(*)::integer from task')).toBe(2)
  })

  test('keeps every digit of a payload that is given as a text', async ({ ask, engine }) => {
    const payload_text = '{"n": 9007199254740993}'

    const one = await ask.post('/tasks', { queue: 'mail', payload_text })
    const many = await ask.post('/tasks', { tasks: [{ queue: 'mail', payload_text }] })

    expect([one.status, many.status]).toEqual([201, 201])
    expect(await engine.rows('select distinct payload::text as text from task')).toEqual([
      { text: payload_text },
    ])
  })

  test.for([
    { payload_text: '{"n": 1' },
    { payload_text: '"\\u0000"' },
    { payload_text: '{}', payload: {} },
    { payload_text: '{}', repeat: { cron: '@daily' } },
  ])('refuses %j', async (given, { ask, engine }) => {
    const { status, body } = await ask.post('/tasks', { queue: 'mail', ...given })

    expect([status, body.code]).toEqual([422, 'invalid_request'])
    expect(body.errors).toMatchObject([{ path: 'body.payload_text' }])
    expect(await engine.value('select count(*)::integer from task')).toBe(0)
  })

  test('refuses a number that Postgres cannot hold', async ({ ask }) => {
    const { status, body } = await ask.post('/tasks', { queue: 'mail', payload_text: '1e999999' })

    expect([status, body.code]).toEqual([422, 'invalid_argument'])
  })

  test('tells what happened to a key that was taken', async ({ ask }) => {
    const first = await ask.post('/tasks', { queue: 'mail', key: 'order 7' })
    const again = await ask.post('/tasks', { queue: 'mail', key: 'order 7' })

    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual({ id: first.body.id, outcome: 'kept' })
  })

  test('waits for the end with Prefer: wait, for the given time', async ({ ask, engine }) => {
    const waiting = ask.post('/tasks', { queue: 'mail' }, { headers: { prefer: 'wait=20' } })
    await until(async () => (await engine.value('select count(*)::integer from waiters')) === 1)
    await engine.complete(await engine.claimOne('mail'), { sent: true })

    const { status, body, headers } = await waiting
    const impatient = await ask.post('/tasks', { queue: 'mail' }, { headers: { prefer: 'wait=0' } })

    expect(status).toBe(201)
    expect(headers.get('preference-applied')).toBe('wait=20')
    expect(body.task).toMatchObject({ state: 'done', output: { sent: true } })
    expect(impatient.body.task).toMatchObject({ state: 'ready' })
  })

  test('shows no outcome to a token that was revoked while it waited', async ({
    ask,
    engine,
    tusk,
  }) => {
    const shop = await tusk.tokens.create({ name: 'shop', scopes: ['enqueue'] })
    // Longer than a token that was found is trusted.
    const wait = { headers: { prefer: 'wait=7' } }
    const waiting = ask.as(shop.token).post('/tasks', { queue: 'mail' }, wait)
    await until(async () => (await engine.value('select count(*)::integer from waiters')) === 1)

    await tusk.tokens.revoke(shop.id)

    expect(await waiting).toMatchObject({ status: 201, body: { outcome: 'created' } })
    expect((await waiting).body.task).toBeUndefined()
  })

  test('hides the task of another caller that holds the key, without the scope read', async ({
    ask,
    tusk,
    engine,
  }) => {
    const { token } = await tusk.tokens.create({ name: 'shop', scopes: ['enqueue'] })
    await engine.setQueue('mail', { keeps_keys: true })
    await ask.post('/tasks', { queue: 'mail', key: 'order 7' })
    await engine.complete(await engine.claimOne('mail'), { secret: true })
    const given = { queue: 'mail', key: 'order 7' }
    const wait = { headers: { prefer: 'wait=1' } }

    const producer = await ask.as(token).post('/tasks', given, wait)
    const reader = await ask.post('/tasks', given, wait)

    expect([producer.body.outcome, producer.body.task]).toEqual(['kept', undefined])
    expect(reader.body.task).toMatchObject({ output: { secret: true } })
  })

  test('makes a schedule of a task that repeats', async ({ ask, tusk, db }) => {
    const { status, body, headers } = await ask.post('/tasks', {
      queue: 'reports',
      payload: { of: 'yesterday' },
      repeat: { name: 'nightly report', cron: '30 2 * * *', zone: 'Europe/Berlin' },
    })
    const again = await ask.post('/tasks', {
      queue: 'reports',
      repeat: { name: 'nightly report', every: '1 hour' },
    })

    expect(status).toBe(201)
    expect(body).toMatchObject({ schedule: 'nightly report', next_at: expect.any(String) })
    expect(headers.get('location')).toBe('/api/v1/schedules/nightly%20report')
    expect(await tusk.schedules.get('nightly report')).toMatchObject({
      cron: '30 2 * * *',
      task: { queue: 'reports', payload: { of: 'yesterday' } },
    })
    expect([again.status, again.body.code]).toEqual([409, 'key_taken'])
    const { rows } = await db.query('select action, actor, door from audit_entry')
    expect(rows).toEqual([{ action: 'set_schedule', actor: 'start', door: 'http' }])
  })

  test('refuses a task that repeats and has a time of its own', async ({ ask, tusk }) => {
    const { status } = await ask.post('/tasks', {
      queue: 'reports',
      delay: '1 hour',
      repeat: { every: '1 hour' },
    })

    expect(status).toBe(422)
    expect(await tusk.schedules.list()).toEqual([])
  })

  test('takes no SQL until it is configured to, and then with the scope sql', async ({
    ask,
    serve,
    tusk,
  }) => {
    const open = await openAsk(await serve({ sql: true }), adminToken)
    const producer = await tusk.tokens.create({ name: 'shop', scopes: ['enqueue'] })
    const analyst = await tusk.tokens.create({ name: 'analyst', scopes: ['enqueue', 'sql'] })
    const sql = { queue: 'sql', kind: 'sql', payload: { sql: 'select 1' } }
    const planned = { ...sql, repeat: { every: '1 hour' } }

    const off = [
      await ask.post('/tasks', sql),
      await ask.post('/tasks', { tasks: [sql] }),
      await ask.post('/tasks', planned),
    ]
    const without = await open.as(producer.token).post('/tasks', sql)
    const within = await open.as(analyst.token).post('/tasks', sql)

    expect(off.map(({ status, body }) => [status, body.code])).toEqual(
      off.map(() => [403, 'sql_over_http_off']),
    )
    expect([without.status, without.body.code]).toEqual([403, 'missing_scope'])
    expect(within.status).toBe(201)
  })

  test('carries the trace of the request on', async ({ ask, engine }) => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const trace = { headers: { traceparent } }

    const { body, headers } = await ask.post('/tasks', { queue: 'mail', meta: { a: 1 } }, trace)
    await ask.post('/tasks', { queue: 'mail' }, { headers: { traceparent: 'nonsense' } })

    expect(headers.get('traceparent')).toBe(traceparent)
    expect(await engine.task(body.id)).toMatchObject({ meta: { a: 1, traceparent } })
    expect(
      await engine.value("select count(*)::integer from task where meta ? 'traceparent'"),
    ).toBe(1)
  })
})
