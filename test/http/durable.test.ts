import { describe, expect } from 'vitest'
import { durableVerbs } from '../support/durable.ts'
import { adminToken, test } from '../support/http.ts'
import { SseReader } from '../support/sse.ts'

async function streamOf(
  http: { fetch(request: Request): Promise<Response> },
  path: string,
  last?: string,
) {
  const headers = {
    authorization: `Bearer ${adminToken}`,
    ...(last === undefined ? {} : { 'last-event-id': last }),
  }
  const response = await http.fetch(new Request(`http://localhost/api/v1${path}`, { headers }))
  const reader = new SseReader()
  reader.push(await response.text())
  return reader.messages.map(({ id, event, data }) => [
    id,
    event,
    (data as { chunk?: unknown }).chunk,
  ])
}

describe('durable tasks over HTTP', () => {
  test('a signal wakes the task that waits for it, and is audited', async ({ ask, engine }) => {
    const durable = durableVerbs(engine)
    const task = await engine.running({ queue: 'orders' })
    await durable.suspend(task, { kind: 'signal', name: 'paid', signal: 'paid' })

    const answer = await ask.post(`/tasks/${task.id}/signals`, {
      name: 'paid',
      payload: { by: 'ada' },
    })

    expect(answer).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^\d+$/) } })
    expect(await engine.task(task.id)).toMatchObject({ state: 'ready' })
    expect(
      await engine.rows(`select action from audit_entry where action = 'signal'`),
    ).toHaveLength(1)
    const pending = await ask.get(`/tasks/${task.id}/signals`)
    expect(pending.body.items).toMatchObject([{ name: 'paid', payload: { by: 'ada' } }])
  })

  test('a signal to a key waits for its task', async ({ ask, engine }) => {
    const to = { queue: 'orders', key: 'order 17', name: 'paid' }
    expect((await ask.post('/signals', { ...to, payload: 7 })).status).toBe(201)
    const task = await engine.running({ queue: 'orders', key: 'order 17' })

    const received = await durableVerbs(engine).suspend(task, {
      kind: 'signal',
      name: 'paid',
      signal: 'paid',
    })

    expect(received).toMatchObject([{ name: 'paid', state: 'done', output: 7 }])
  })

  test('rejects signals and places that are invalid', async ({ ask, engine }) => {
    const ended = await engine.inState('done')
    const { id } = await engine.enqueue({ queue: 'orders' })

    expect((await ask.post('/tasks/999999/signals', { name: 'paid' })).status).toBe(404)
    expect((await ask.post(`/tasks/${ended.id}/signals`, { name: 'paid' })).status).toBe(409)
    expect((await ask.post(`/tasks/${id}/signals`, { name: '' })).status).toBe(422)
    expect((await ask.post(`/tasks/${id}/signals`, { name: 'paid', to: 1 })).status).toBe(422)
    const forever = { queue: 'orders', key: 'k', name: 'paid', keep: '-1 day' }
    expect((await ask.post('/signals', forever)).status).toBe(422)
    expect((await ask.get(`/tasks/${id}/stream?after=x`)).status).toBe(422)
    expect((await ask.get('/tasks/999999/steps')).status).toBe(404)
    expect((await ask.get('/tasks/999999/family')).status).toBe(404)
    expect((await ask.get('/tasks/999999/stream')).status).toBe(404)
  })

  test('a token for one queue signals tasks and keys of that queue alone', async ({
    ask,
    engine,
    tusk,
  }) => {
    const producer = await tusk.tokens.create({ name: 'shop', scopes: ['enqueue:orders'] })
    const consumer = await tusk.tokens.create({ name: 'worker', scopes: ['consume:orders'] })
    const shop = ask.as(producer.token)
    const { id: mine } = await engine.enqueue({ queue: 'orders' })
    const { id: theirs } = await engine.enqueue({ queue: 'payroll' })
    const byKey = (queue: string) => ({ queue, key: 'k', name: 'paid' })
    const missing = (scope: string) => ({
      status: 403,
      body: { code: 'missing_scope', detail: `this request needs the scope ${scope}` },
    })

    expect((await shop.post(`/tasks/${mine}/signals`, { name: 'paid' })).status).toBe(201)
    expect((await shop.post('/signals', byKey('orders'))).status).toBe(201)
    expect(await shop.post(`/tasks/${theirs}/signals`, { name: 'paid' })).toMatchObject(
      missing('enqueue:payroll'),
    )
    expect(await shop.post('/signals', byKey('payroll'))).toMatchObject(missing('enqueue:payroll'))
    for (const path of ['steps', 'family', 'dependencies', 'signals', 'stream']) {
      expect(await shop.get(`/tasks/${mine}/${path}`), path).toMatchObject(missing('read'))
    }
    expect(
      await ask.as(consumer.token).post(`/tasks/${mine}/signals`, { name: 'paid' }),
    ).toMatchObject(missing('enqueue'))
    expect(await engine.rows('select task::text, queue from signals order by id')).toEqual([
      { task: mine, queue: null },
      { task: null, queue: 'orders' },
    ])
  })

  test('shows steps and the family, and retries from a step', async ({ ask, engine }) => {
    const durable = durableVerbs(engine)
    const parent = await engine.running({ queue: 'orders' })
    await durable.save(parent, 'bill', { number: 1 })
    const [pack] = await durable.spawn(parent, { pack: { queue: 'pack' } })
    await durable.save(parent, 'mail')

    const steps = await ask.get(`/tasks/${parent.id}/steps`)
    const family = await ask.get(`/tasks/${parent.id}/family`)

    expect(steps.body.items).toMatchObject([
      { name: 'bill', kind: 'step', state: 'done', output: { number: 1 } },
      { name: 'pack', kind: 'child', state: 'open', child: pack },
      { name: 'mail', state: 'done' },
    ])
    expect(family.body).toMatchObject({
      items: [
        { id: parent.id, parent: null, depth: 0, state: 'running' },
        { id: pack, parent: parent.id, step: 'pack', depth: 1, queue: 'pack', state: 'ready' },
      ],
      is_complete: true,
    })
    const first = await ask.get(`/tasks/${parent.id}/family?limit=1`)
    expect(first.body).toMatchObject({ items: [{ id: parent.id }], is_complete: false })

    await engine.fail(parent, null, { retry: false })
    expect((await ask.post(`/tasks/${parent.id}/retry`, { from: 'nope' })).status).toBe(422)
    expect((await ask.post(`/tasks/${parent.id}/retry`, { from: 'mail' })).status).toBe(200)
    const left = await ask.get(`/tasks/${parent.id}/steps`)
    expect(left.body.items.map(({ name }: { name: string }) => name)).toEqual(['bill', 'pack'])
  })

  test('shows what a task comes after, and what comes after it', async ({ ask, engine }) => {
    const { id: load } = await engine.enqueue({ queue: 'load' })
    const enqueued = await ask.post('/tasks', { queue: 'report', after: [load] })
    const report = enqueued.body.id

    const linked = await ask.get(`/tasks/${load}/dependencies`)
    const nearest = await ask.get(`/tasks/${load}/dependencies?limit=1`)

    expect(linked.body).toMatchObject({
      items: [
        { id: load, after: [], depth: 0, state: 'ready', queue: 'load' },
        { id: report, after: [load], depth: 1, state: 'waiting', waits: { after: { left: 1 } } },
      ],
      is_complete: true,
    })
    expect(nearest.body).toMatchObject({ items: [{ id: load }], is_complete: false })
    expect((await ask.get('/tasks/999999/dependencies')).status).toBe(404)
    expect((await ask.get(`/tasks/${load}/dependencies?limit=0`)).status).toBe(422)
  })

  test('streams what a task wrote, and goes on behind a place', async ({ ask, http, engine }) => {
    const task = await engine.running({ queue: 'agent' })
    const write = (...chunks: readonly string[]) =>
      engine.rows('select write_chunks($1, $2, $3::jsonb[])', task.id, task.claim, chunks)
    await write('"a"', '"b"')

    const streaming = streamOf(http, `/tasks/${task.id}/stream`)
    await write('"c"')
    await engine.complete(task)

    expect(await streaming).toEqual([
      ['1', 'chunk', 'a'],
      ['2', 'chunk', 'b'],
      ['3', 'chunk', 'c'],
      ['3', 'end', undefined],
    ])
    expect(await streamOf(http, `/tasks/${task.id}/stream`, '2')).toEqual([
      ['3', 'chunk', 'c'],
      ['3', 'end', undefined],
    ])
    expect((await ask.get(`/tasks/${task.id}`)).body.state).toBe('done')
  })
})
