import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'

describe('queues over HTTP', () => {
  test('are listed with what waits in them, and with what they are set to', async ({
    ask,
    engine,
  }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail', delay: '1 hour' }])
    await engine.running({ queue: 'reports' })
    await engine.setQueue('mail', { max_running: 3, keep_done: '1 day' })

    const { body } = await ask.get('/queues')

    expect(body.next_cursor).toBeNull()
    expect(body.items).toMatchObject([
      { queue: 'mail', depth: 2, due: 1, later: 1, settings: { max_running: 3 } },
      { queue: 'reports', depth: 1, running: 1, settings: { max_running: null } },
    ])
    expect(body.items[0].settings.keep_done).toBe('1 day')
  })

  test('a queue without tasks and settings is not there', async ({ ask }) => {
    expect(await ask.get('/queues/nope')).toMatchObject({
      status: 404,
      body: { code: 'not_found', hint: expect.stringContaining('enqueued') },
    })
  })

  test('the defaults of all are the queue *', async ({ ask }) => {
    const { body } = await ask.patch('/queues/*', { max_attempts: 7 })

    expect(body.max_attempts).toBe(7)
    expect((await ask.get('/queues/*')).body.settings.max_attempts).toBe(7)
    expect((await ask.get('/queues/*')).body.in_force.max_attempts).toEqual({
      value: 7,
      source: '*',
    })
  })

  test('are changed only if they are still what the client saw', async ({ ask }) => {
    await ask.patch('/queues/mail', { max_running: 3 })
    const etag = (await ask.get('/queues/mail')).headers.get('etag') ?? ''
    await ask.patch('/queues/mail', { max_running: 4 })

    const late = await ask.patch(
      '/queues/mail',
      { max_running: 5 },
      { headers: { 'if-match': etag } },
    )
    const fresh = (await ask.get('/queues/mail')).headers.get('etag') ?? ''
    const timely = await ask.patch(
      '/queues/mail',
      { max_running: 6 },
      { headers: { 'if-match': fresh } },
    )

    expect(late).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
    expect(timely).toMatchObject({ status: 200, body: { max_running: 6 } })
  })

  test('of many who change it at once with one ETag, one does', async ({ ask }) => {
    await ask.patch('/queues/mail', { max_running: 3 })
    const etag = (await ask.get('/queues/mail')).headers.get('etag') ?? ''

    const answers = await Promise.all(
      [10, 11, 12, 13, 14].map((n) =>
        ask.patch('/queues/mail', { max_running: n }, { headers: { 'if-match': etag } }),
      ),
    )

    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 412, 412, 412, 412])
  })

  test('say what is wrong with a setting', async ({ ask }) => {
    const wrongType = await ask.patch('/queues/mail', { max_running: 'many', colour: 'red' })
    const wrongValue = await ask.patch('/queues/mail', { keep_done: 'a while' })

    expect(wrongType).toMatchObject({ status: 422, body: { code: 'invalid_request' } })
    expect(wrongType.body.errors).toHaveLength(2)
    expect(wrongValue).toMatchObject({ status: 422, body: { code: 'invalid_argument' } })
  })

  test('are paused and resumed, and the audit knows by whom', async ({ ask, engine }) => {
    await engine.enqueue({ queue: 'mail' })

    expect((await ask.post('/queues/mail/pause')).status).toBe(204)
    expect((await ask.get('/queues/mail')).body.paused_at).not.toBeNull()
    expect((await ask.post('/queues/mail/resume')).status).toBe(204)
    expect((await ask.get('/queues/mail')).body.paused_at).toBeNull()

    const { body } = await ask.get('/audit')
    expect(body.items).toMatchObject([
      { action: 'resume', object: 'queue mail', door: 'http', actor: 'start' },
      { action: 'pause', object: 'queue mail' },
    ])
  })

  test('may have any name', async ({ ask, engine }) => {
    const name = 'a/b ?%25 "é"'
    await engine.enqueue({ queue: name })

    const { body } = await ask.get(`/queues/${encodeURIComponent(name)}`)

    expect(body.queue).toBe(name)
  })
})

describe('groups over HTTP', () => {
  test('are listed page by page', async ({ ask }) => {
    for (const name of ['c', 'a', 'b', 'e', 'd'])
      await ask.patch(`/groups/${name}`, { rate: 1, rate_window: '1 second' })
    const seen: string[] = []
    let path = '/groups?limit=2'
    for (;;) {
      const { body, headers } = await ask.get(path)
      seen.push(...body.items.map(({ group }: { group: string }) => group))
      if (body.next_cursor === null) break
      path = /<\/api\/v1([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }

    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('are changed, paused and resumed', async ({ ask }) => {
    const { body, headers } = await ask.patch('/groups/customer%2042', {
      max_running: 2,
      weight: 3,
    })
    expect(body).toMatchObject({ group: 'customer 42', max_running: 2, weight: 3 })

    const etag = headers.get('etag') ?? ''
    expect((await ask.post('/groups/customer%2042/pause')).status).toBe(204)
    const changed = await ask.patch(
      '/groups/customer%2042',
      { max_running: null },
      { headers: { 'if-match': etag } },
    )
    expect(changed).toMatchObject({ status: 200, body: { max_running: null } })
    expect(changed.body.paused_at).not.toBeNull()
    expect((await ask.post('/groups/customer%2042/resume')).status).toBe(204)
    expect((await ask.get('/groups/customer%2042')).body.paused_at).toBeNull()
  })

  test('one without tasks and limits is not there', async ({ ask }) => {
    expect((await ask.get('/groups/nope')).status).toBe(404)
  })
})
