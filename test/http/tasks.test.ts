import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'
import { until } from '../support/until.ts'

describe('GET /tasks', () => {
  test('lists what matches, the newest first, page by page', async ({ ask, engine }) => {
    const ids = (
      await engine.enqueueMany(Array.from({ length: 5 }, () => ({ queue: 'mail' })))
    ).map(({ id }) => id)
    await engine.enqueue({ queue: 'post' })

    const first = await ask.get('/tasks?queue=mail&limit=2')
    const link = first.headers.get('link') ?? ''
    const path = /<\/api\/v1(.*)>; rel="next"/.exec(link)?.[1] ?? ''
    const second = await ask.get(path)
    const last = await ask.get(`/tasks?queue=mail&limit=2&cursor=${second.body.next_cursor}`)

    const seen = [first, second, last].flatMap(({ body }) =>
      body.items.map(({ id }: { id: string }) => id),
    )
    expect(seen).toEqual(ids.toReversed())
    expect(last.body.next_cursor).toBeNull()
    expect(last.headers.get('link')).toBeNull()
  })

  test('takes several states, and counts them', async ({ ask, engine }) => {
    await engine.inState('done')
    await engine.inState('failed')
    await engine.inState('queued')

    const { body } = await ask.get('/tasks?state=done&state=failed')
    const count = await ask.get('/tasks/count?state=done&state=failed')

    expect(body.items.map(({ state }: { state: string }) => state).sort()).toEqual([
      'done',
      'failed',
    ])
    expect(count.body).toEqual({ count: 2, exact: true })
    const counts = await ask.get('/tasks/counts?state=done&state=ready')
    expect(counts.body).toMatchObject({
      items: [
        { state: 'ready', exact: true, estimated: false },
        { state: 'done', count: 1, exact: true, estimated: false },
      ],
    })
  })

  test('speaks of states in the words of the paper when asked to', async ({ ask, engine }) => {
    await engine.enqueue({ queue: 'later', delay: '1 hour' })
    await engine.inState('done')

    const { body } = await ask.get('/tasks?states=paper')

    const words = body.items.map((task: { paper_state: string }) => task.paper_state)
    expect(words.sort()).toEqual(['Delayed', 'Success'])
    expect((await ask.get('/tasks')).body.items[0]).not.toHaveProperty('paper_state')
  })

  test('shows no one the token of a lease', async ({ ask, engine }) => {
    const { id } = await engine.running()

    const { body } = await ask.get(`/tasks/${id}`)

    expect(body).toMatchObject({ state: 'running' })
    expect(body).not.toHaveProperty('claim')
  })

  test('waits for the end of one, and shows it as it stands when time is up', async ({
    ask,
    engine,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    const waiting = ask.get(`/tasks/${id}`, { headers: { prefer: 'respond-async, wait=20' } })
    await until(async () => (await engine.value('select count(*)::integer from waiters')) === 1)
    await engine.cancel(id)

    expect((await waiting).body).toMatchObject({ state: 'cancelled' })
    const other = await engine.enqueue({ queue: 'mail' })
    const late = await ask.get(`/tasks/${other.id}`, { headers: { prefer: 'wait=1' } })
    expect(late.body).toMatchObject({ state: 'ready' })
    expect(late.headers.get('preference-applied')).toBe('wait=1')
  })

  test('shows nothing to a token that was revoked while it waited', async ({
    ask,
    engine,
    tusk,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    const reader = await tusk.tokens.create({ name: 'ada', scopes: ['read'] })
    // Longer than a token that was found is trusted.
    const headers = { prefer: 'wait=7' }
    const waiting = ask.as(reader.token).get(`/tasks/${id}`, { headers })
    await until(async () => (await engine.value('select count(*)::integer from waiters')) === 1)

    await tusk.tokens.revoke(reader.id)

    expect(await waiting).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })

  test('tells what runs of a SQL task, and of others nothing', async ({ ask, engine }) => {
    const { id } = await engine.running({ queue: 'sql', kind: 'sql', payload: { sql: 'select 1' } })
    const other = await engine.running()

    expect((await ask.get(`/tasks/${id}/running`)).body).toMatchObject({ attempt: 1, pid: null })
    expect((await ask.get(`/tasks/${other.id}/running`)).status).toBe(204)
  })
})

test.for(['attempts', 'logs', 'running'])(
  'GET /tasks/{id}/%s knows no task that is not there',
  async (what, { ask, engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })

    expect([200, 204]).toContain((await ask.get(`/tasks/${id}/${what}`)).status)
    expect((await ask.get(`/tasks/999999/${what}`)).body.code).toBe('task_not_found')
  },
)

test('GET /tasks/{id}/texts has every digit of a number', async ({ ask, db }) => {
  await db.query(`select enqueue('mail', '{"n": 9007199254740993}')`)
  const id = String((await db.query('select id from task')).rows[0].id)

  expect((await ask.get(`/tasks/${id}/texts`)).body).toEqual({
    payload: '{"n": 9007199254740993}',
    output: null,
  })
  expect((await ask.get('/tasks/999999/texts')).body.code).toBe('task_not_found')
})

describe('a payload as text', () => {
  const text = '{"n": 90071992547409931234, "share": 1.10000000000000000001}'

  test('keeps every digit when a task that waits is changed', async ({ ask, engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })

    const { status } = await ask.patch(`/tasks/${id}`, { payload_text: text, priority: 4 })

    expect(status).toBe(200)
    const [task] = await engine.rows('select payload = $1::jsonb as same, priority from task', text)
    expect(task).toEqual({ same: true, priority: 4 })
  })

  test('keeps every digit when a task that ended is retried', async ({ ask, engine }) => {
    const { id } = await engine.inState('failed')

    expect((await ask.post(`/tasks/${id}/retry`, { payload_text: text })).status).toBe(200)

    expect(await engine.value('select payload = $1::jsonb from task', text)).toBe(true)
  })

  test.for([
    ['{"n": 1', 'the text ends too early at character 8'],
    ['{"n": "\\ud800"}', 'half a character'],
    ['1e999999', ''],
  ] as const)('is refused if it is %s', async ([payload_text, why], { ask, engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', payload: 1 })

    const { status, body } = await ask.patch(`/tasks/${id}`, { payload_text })

    expect(status).toBe(422)
    expect(body.detail).toContain(why)
    expect(await engine.value('select payload from task')).toBe(1)
  })

  test('is refused beside a payload, and for SQL where none is let in', async ({ ask, engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    const sql = await engine.value("select sql('select 1')")

    const both = await ask.patch(`/tasks/${id}`, { payload_text: '1', payload: 1 })
    const other = await ask.patch(`/tasks/${sql}`, { payload_text: '{"sql": "select 2"}' })

    expect(both.body).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'body.payload_text' }],
    })
    expect(other.body.code).toBe('sql_over_http_off')
  })
})

describe('what people do with a task', () => {
  test('is in the audit, with who and from where', async ({ ask, engine, tusk, db }) => {
    const { token, id: tokenId } = await tusk.tokens.create({ name: 'ada', scopes: ['operate'] })
    const { id } = await engine.enqueue({ queue: 'mail' })

    await ask
      .as(token)
      .post(`/tasks/${id}/cancel`, undefined, { headers: { 'x-request-id': 'r1' } })
    await ask.as(token).post(`/tasks/${id}/retry`)
    await ask.as(token).post(`/tasks/${id}/retry`)

    const { rows } = await db.query(
      'select actor, door, token::text, request, action, object from audit_entry order by id',
    )
    expect(rows).toMatchObject([
      { actor: 'ada', door: 'http', token: tokenId, request: 'r1', action: 'cancel' },
      { action: 'retry' },
    ])
  })

  test('moves, amends, retries and deletes it', async ({ ask, engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })

    const moved = await ask.post(`/tasks/${id}/move`, { run_at: '2100-01-01T00:00:00Z' })
    const amended = await ask.patch(`/tasks/${id}`, { priority: 9, payload: { fixed: true } })
    await ask.post(`/tasks/${id}/cancel`)
    const retried = await ask.post(`/tasks/${id}/retry`, { payload: { again: true } })
    const deleted = await ask.delete(`/tasks/${id}`)

    expect(moved.body).toMatchObject({ run_at: '2100-01-01T00:00:00.000Z' })
    expect(amended.body).toMatchObject({ priority: 9, payload: { fixed: true } })
    expect(retried.body).toMatchObject({ state: 'ready', payload: { again: true } })
    expect([deleted.status, (await ask.get(`/tasks/${id}`)).status]).toEqual([204, 404])
  })

  test('kills it while it runs, with the right to, and its executor has lost it', async ({
    ask,
    engine,
    tusk,
    db,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail', maxAttempts: 9 })
    const { claim } = (await ask.post('/claims', { queue: 'mail' })).body
    const as = async (...scopes: string[]) =>
      ask.as((await tusk.tokens.create({ name: scopes.join(), scopes })).token)

    const executor = await (await as('consume')).post(`/tasks/${id}/kill`)
    const operator = await (await as('operate')).post(`/tasks/${id}/kill`, { error: 'enough' })
    const late = await ask.post(`/tasks/${id}/complete`, { claim })
    const twice = await ask.post(`/tasks/${id}/kill`)

    expect([executor.status, operator.status]).toEqual([403, 204])
    expect([late.body.code, twice.body.code]).toEqual(['lease_lost', 'wrong_state'])
    expect(await engine.task(id)).toMatchObject({
      state: 'failed',
      reason: 'killed',
      error: 'enough',
    })
    const { rows } = await db.query('select actor, action from audit_entry where object like $1', [
      'task %',
    ])
    expect(rows).toEqual([{ actor: 'operate', action: 'kill_running' }])
  })

  test('is refused when another caller has changed it since (If-Match)', async ({
    ask,
    engine,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    const tag = (await ask.get(`/tasks/${id}`)).headers.get('etag') ?? ''
    const edits = Array.from({ length: 5 }, (_, n) =>
      ask.patch(`/tasks/${id}`, { priority: n + 1 }, { headers: { 'if-match': tag } }),
    )

    const answers = await Promise.all(edits)

    const done = answers.filter(({ status }) => status === 200)
    const late = answers.filter(({ status }) => status === 412)
    expect([done.length, late.length]).toEqual([1, 4])
    expect(late[0]?.body.code).toBe('precondition_failed')
    const next = done[0]?.headers.get('etag') ?? ''
    const again = await ask.patch(
      `/tasks/${id}`,
      { priority: 50 },
      { headers: { 'if-match': next } },
    )
    expect(again.status).toBe(200)
  })

  test('does not put SQL into a task that runs SQL, without the right to', async ({
    ask,
    engine,
    signed,
  }) => {
    const { id, ...held } = await engine.running({
      queue: 'sql',
      kind: 'sql',
      payload: { sql: 'select 1' },
    })
    const claim = await signed(held.claim)
    const payload = { sql: 'drop table users' }

    const answers = [
      await ask.patch(`/tasks/${id}`, { payload }),
      await ask.post(`/tasks/${id}/retry`, { payload }),
      await ask.post(`/tasks/${id}/reschedule`, { claim, payload, run_at: '2100-01-01T00:00:00Z' }),
    ]

    expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 'sql_over_http_off'))
    expect(await engine.task(id)).toMatchObject({ payload: { sql: 'select 1' } })
  })
})
