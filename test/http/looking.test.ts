import { describe, expect } from 'vitest'
import { adminToken, test } from '../support/http.ts'
import { openAsk } from '../support/http-ask.ts'

describe('looking over HTTP', () => {
  test('tells how much of everything there is', async ({ ask, engine }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }, { queue: 'reports' }])
    await engine.complete(await engine.claimOne('mail'))

    const { body } = await ask.get('/stats')

    expect(body.queues).toMatchObject([
      { queue: 'mail', depth: 1, due: 1, done_last_hour: 1 },
      { queue: 'reports', depth: 1 },
    ])
    expect(body.totals).toMatchObject({ depth: 2, enqueued: 3, started: 1, done: 1, running: 0 })
  })

  test('tells how the latest tasks of each handler went', async ({ ask, engine }) => {
    await engine.complete(await engine.running({ handler: 'letter' }))
    await engine.fail(await engine.running({ queue: 'other', maxAttempts: 1 }))

    const { body } = await ask.get('/stats/handlers?range=15m')

    expect(body.items).toMatchObject([
      { queue: 'mail', handler: 'letter', done: 1, failed: 0, attempts: 1 },
      { queue: 'other', handler: 'other', done: 0, failed: 1 },
    ])
    expect((await ask.get('/stats/handlers?queue=mail')).body.items).toHaveLength(1)
    expect((await ask.get('/stats/handlers?range=1y')).status).toBe(422)
  })

  test.for([
    ['?range=15m', 60],
    ['?range=1h', 60],
    ['?range=6h', 60],
    ['?range=24h', 600],
    ['?range=7d', 3600],
    ['?from=2026-01-01T00:00:00Z&to=2026-01-01T06:00:00Z', 60],
    ['?from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z', 21_600],
  ] as const)('draws %s in points of %i seconds', async ([query, width], { ask }) => {
    const { body } = await ask.get(`/stats/series${query}`)

    expect(body.width).toBe(width)
    expect(body.points.length).toBeGreaterThan(14)
    expect(body.points.length).toBeLessThanOrEqual(402)
  })

  test('draws what happened', async ({ ask, engine }) => {
    await engine.complete(await engine.running({ queue: 'mail' }))
    await engine.enqueue({ queue: 'reports' })
    await engine.rows('select roll_up()')

    const sum = (points: readonly Record<string, number>[], name: string) =>
      points.reduce((total, point) => total + (point[name] ?? 0), 0)
    const all = (await ask.get('/stats/series')).body.points
    const mail = (await ask.get('/stats/series?queue=mail')).body.points
    expect([sum(all, 'enqueued'), sum(mail, 'enqueued'), sum(mail, 'done')]).toEqual([2, 1, 1])
    expect(mail.some(({ run_p95 }: { run_p95: number | null }) => run_p95 !== null)).toBe(true)
  })

  test.for([
    '?range=2h',
    '?range=1h&from=2026-01-01T00:00:00Z',
    '?from=2026-01-01T00:00:00Z&to=2025-01-01T00:00:00Z',
    '?from=2020-01-01T00:00:00Z',
  ])('draws nothing of %s', async (query, { ask }) => {
    expect((await ask.get(`/stats/series${query}`)).status).toBe(422)
  })

  test('groups what went wrong', async ({ ask, engine }) => {
    for (const n of [1, 2]) {
      const task = await engine.running({ queue: 'mail', maxAttempts: 1 })
      await engine.fail(task, { code: 'E_SMTP', message: `mailbox ${n} is full` })
    }
    await engine.rows('select roll_up()')

    const { body } = await ask.get('/errors?queue=mail')

    expect(body.items).toMatchObject([{ code: 'E_SMTP', count: 2, queue: 'mail', last_hour: 2 }])
    const found = await ask.get(`/tasks?error=${body.items[0].fingerprint}`)
    expect(found.body.items).toHaveLength(2)
    expect((await ask.get('/errors?since=2100-01-01T00:00:00Z')).body.items).toEqual([])
  })

  test('shows workers with what they hold, and drains them', async ({ ask, engine, db }) => {
    await db.query(`select register_worker('w 1', '{mail}', 4, 'host', 7, '1.0')`)
    const task = await engine.running({ queue: 'mail' }, { worker: 'w 1' })

    const one = await ask.get('/workers/w%201')
    expect((await ask.get('/workers')).body.items).toMatchObject([{ id: 'w 1', tasks: 1 }])
    expect(one.body).toMatchObject({ slots: 4, running: [{ id: task.id, state: 'running' }] })

    expect((await ask.post('/workers/w%201/drain')).status).toBe(204)
    expect((await ask.get('/workers/w%201')).body.draining_at).not.toBeNull()
    expect((await ask.post('/workers/nope/drain')).status).toBe(404)
    expect((await ask.get('/workers/nope')).status).toBe(404)
  })

  test('shows chores and who leads them, and asks them to resign', async ({ ask, db }) => {
    await db.query(
      `select register_chores('w', '[{"name": "sweep", "every": "1 minute", "timeout": "1 minute", "ttl": "10 seconds"}]')`,
    )
    await db.query(`select lead_chores('w', '{sweep}', '{null}')`)

    expect((await ask.get('/chores')).body.items).toMatchObject([{ chore: 'sweep', is_led: true }])
    expect((await ask.get('/leaders')).body.items).toMatchObject([{ chore: 'sweep', worker: 'w' }])
    expect((await ask.post('/chores/sweep/resign')).body).toEqual({ worker: 'w' })
    expect((await ask.post('/chores/nope/resign')).status).toBe(404)
  })

  test('follows a key through all queues', async ({ ask, engine }) => {
    await engine.complete(await engine.running({ queue: 'mail', key: 'order/7' }))
    await engine.enqueue({ queue: 'reports', key: 'order/7' })

    const { body } = await ask.get('/keys/order%2F7')

    expect(body.items.map(({ queue }: { queue: string }) => queue)).toEqual(
      expect.arrayContaining(['mail', 'reports']),
    )
    expect((await ask.get('/keys/nope')).body.items).toEqual([])
  })

  test('tells about the database', async ({ ask }) => {
    const { body } = await ask.get('/database')

    expect(body.relations.tables.map(({ name }: { name: string }) => name)).toContain('tasks')
    expect(body.migrations[0]).toMatchObject({ state: 'applied' })
    expect(body.connections.length).toBeGreaterThan(0)
  })

  test('shows statements of other programs to operators only', async ({ ask, tusk, connect }) => {
    const other = await connect()
    await other.query("begin; select 'a secret of another program', txid_current()")
    const reader = await tusk.tokens.create({ name: 'reader', scopes: ['read'] })
    const operator = await tusk.tokens.create({ name: 'operator', scopes: ['operate'] })

    const seen = await ask.as(operator.token).get('/database')
    const hidden = await ask.as(reader.token).get('/database')

    expect(JSON.stringify(seen.body.transactions)).toContain('a secret of another program')
    expect(JSON.stringify(hidden.body)).not.toContain('a secret of another program')
    expect(hidden.body.transactions.length).toBeGreaterThan(0)
    expect(hidden.body.unseen.join()).toContain('scope operate')
    await other.query('rollback')
  })

  test('reads SQL before it runs, and shows what may run', async ({ ask, db }) => {
    await db.query(`select set_statement('touch', '{"sql": "select 1", "params": []}')`)
    await db.query(`select set_connection('far', '{"host": "a", "secret": {"env": "A"}}')`)
    await db.query(`select allow_sql(current_user::text)`)

    const parsed = await ask.post('/sql/parse', { sql: 'select 1; vacuum t' })
    const wrong = await ask.post('/sql/parse', { sql: 'selec 1' })

    expect(parsed.body.statements).toMatchObject([
      { kind: 'select', in_transaction: true },
      { kind: 'vacuum', in_transaction: false },
    ])
    expect(wrong.body).toMatchObject({ statements: [], error: { position: 1 } })
    expect((await ask.get('/sql/statements')).body.items).toMatchObject([{ name: 'touch' }])
    expect((await ask.get('/sql/connections')).body.items).toMatchObject([
      { name: 'far', secret: { env: 'A' } },
    ])
    expect((await ask.get('/sql/roles')).body.items).toHaveLength(1)
  })

  test('counts from a URL below a base path', async ({ serve, engine }) => {
    for (const queue of ['a', 'b']) await engine.setGroup(queue, { max_running: 1 })
    const ask = await openAsk(await serve({ basePath: '/tusk' }), adminToken)

    const { headers } = await ask.get('/groups?limit=1')

    expect(headers.get('link')).toMatch('</tusk/api/v1/groups?')
  })
})
