import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'
import { until } from '../support/until.ts'

const sleeping = 'select count(*)::integer from sleepers'

describe('a claim over HTTP', () => {
  test('hands out tasks under one token, which every later word carries', async ({ ask }) => {
    await ask.post('/tasks', { tasks: [{ queue: 'mail' }, { queue: 'mail', payload: [1] }] })

    const { status, body } = await ask.post('/claims', { queue: 'mail', limit: 5, worker: 'curl' })
    const [first, second] = body.tasks
    const done = await ask.post(`/tasks/${first.id}/complete`, { claim: body.claim, output: 1 })
    const failed = await ask.post(`/tasks/${second.id}/fail`, {
      claim: body.claim,
      error: { message: 'no' },
      delay: '1 hour',
    })

    expect(status).toBe(201)
    expect(second.payload).toEqual([1])
    expect(done.status).toBe(204)
    expect(failed.body.state).toBe('queued')
    expect((await ask.get(`/tasks/${first.id}`)).body).toMatchObject({
      state: 'done',
      output: 1,
      worker: 'curl',
    })
    expect((await ask.get(`/tasks/${second.id}/attempts`)).body.items).toMatchObject([
      { attempt: 1, reason: 'error', error: { message: 'no' } },
    ])
  })

  test('answers 204 when there is nothing to do', async ({ ask }) => {
    expect((await ask.post('/claims', { queue: 'mail' })).status).toBe(204)
  })

  test('takes only the handlers and kinds that it names', async ({ ask }) => {
    await ask.post('/tasks', {
      tasks: [
        { queue: 'media', handler: 'resize' },
        { queue: 'media', handler: 'transcode' },
        { queue: 'media', kind: 'document' },
      ],
    })

    const resizing = await ask.post('/claims', {
      queue: 'media',
      limit: 9,
      handlers: ['resize'],
      kinds: ['handler'],
    })
    const documents = await ask.post('/claims', { queue: 'media', limit: 9, kinds: ['document'] })

    expect(resizing.body.tasks).toMatchObject([{ handler: 'resize' }])
    expect(documents.body.tasks).toMatchObject([{ kind: 'document' }])
  })

  test('takes documents of the versions that it names, from the first to the last', async ({
    ask,
  }) => {
    await ask.post('/tasks', {
      tasks: [1, 2, 3, 4].map((version) => ({ queue: 'orders', kind: 'document', version })),
    })
    const claim = (versions: number[]) =>
      ask.post('/claims', { queue: 'orders', limit: 9, versions })

    expect((await claim([5, 9])).status).toBe(204)
    expect((await claim([2, 3])).body.tasks).toMatchObject([{ version: 2 }, { version: 3 }])
    for (const wrong of [[3, 2], [1], [1.5, 2], [1, 2, 3]])
      expect(await claim(wrong)).toMatchObject({ status: 422, body: { code: 'invalid_request' } })
  })

  test('takes no SQL without the right to see it', async ({ ask, engine }) => {
    await engine.enqueue({ queue: 'sql', kind: 'sql', payload: { sql: 'select 1' } })

    const asked = await ask.post('/claims', { queue: 'sql', kinds: ['sql'] })
    const unasked = await ask.post('/claims', { queue: 'sql' })

    expect([asked.status, asked.body.code]).toEqual([403, 'sql_over_http_off'])
    expect(unasked.status).toBe(204)
  })

  test('waits for a task that comes, and is rung', async ({ ask, engine }) => {
    const waiting = ask.post('/claims', { queue: 'mail' }, { headers: { prefer: 'wait=30' } })
    await until(async () => (await engine.value(sleeping)) === 1)
    const { body } = await ask.post('/tasks', { queue: 'mail' })

    const { status, headers, body: claim } = await waiting

    expect(status).toBe(201)
    expect(headers.get('preference-applied')).toBe('wait=30')
    expect(claim.tasks).toMatchObject([{ id: body.id }])
  })

  test('wakes for a task that becomes due by itself', async ({ ask }) => {
    const { body } = await ask.post('/tasks', { queue: 'mail', delay: '300 milliseconds' })

    const { body: claim } = await ask.post(
      '/claims',
      { queue: 'mail' },
      { headers: { prefer: 'wait=20' } },
    )

    expect(claim.tasks).toMatchObject([{ id: body.id }])
  })

  test('lets many wait, and each task goes to one of them', async ({ ask, engine }) => {
    const waiting = Array.from({ length: 8 }, () =>
      ask.post('/claims', { queue: 'mail' }, { headers: { prefer: 'wait=20' } }),
    )
    await until(async () => (await engine.value(sleeping)) === 1)
    await ask.post('/tasks', { tasks: Array.from({ length: 8 }, () => ({ queue: 'mail' })) })

    const claims = await Promise.all(waiting)

    const ids = claims.map(({ body }) => body.tasks[0].id)
    expect(new Set(ids).size).toBe(8)
  })

  test('ends its wait when the server closes', async ({ ask, engine, http }) => {
    const waiting = ask.post('/claims', { queue: 'mail' }, { headers: { prefer: 'wait=60' } })
    await until(async () => (await engine.value(sleeping)) === 1)

    await http.close()

    expect((await waiting).status).toBe(204)
  })

  test('is not a claim with the signature of another, or with none', async ({
    ask,
    engine,
    signed,
  }) => {
    const mine = await engine.running()
    const theirs = await engine.running()
    const [, signature] = (await signed(mine.claim)).split('.')
    const forged = [`${theirs.claim}.${signature}`, `${theirs.claim}.${'A'.repeat(22)}`]

    const answers = [
      await ask.post(`/tasks/${theirs.id}/complete`, { claim: forged[0] }),
      await ask.post(`/claims/${forged[1]}/extend`),
      await ask.post(`/tasks/${theirs.id}/complete`, { claim: theirs.claim }),
    ]

    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'lease_lost'],
      [409, 'lease_lost'],
      [422, 'invalid_request'],
    ])
    expect(await engine.task(theirs.id)).toMatchObject({ state: 'running' })
  })

  test('is extended, and the answer says when it is over', async ({ ask, engine, signed }) => {
    const task = await engine.running()
    const claim = await signed(task.claim)

    const held = await ask.post(`/claims/${claim}/extend`, { lease: '1 hour' })
    await engine.pass('2 hours', task.id)
    await engine.rescue()
    const lost = await ask.post(`/claims/${claim}/extend`)

    expect([held.body.held, lost.body.held]).toEqual([true, false])
  })

  test('ends many at once, and names those that were lost', async ({ ask, engine }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }, { queue: 'mail' }])
    const { body } = await ask.post('/claims', { queue: 'mail', limit: 3 })
    const [a, b, c] = body.tasks.map(({ id }: { id: string }) => id)
    await engine.cancel(c)

    const done = await ask.post(`/claims/${body.claim}/complete`, {
      tasks: [{ id: a, output: { ok: true } }, { id: c }],
    })
    const failed = await ask.post(`/claims/${body.claim}/fail`, {
      tasks: [{ id: b, retry: false, reason: 'timeout' }, { id: c }],
    })

    expect(done.body).toEqual({ done: [a], lost: [c] })
    expect(failed.body).toEqual({ ended: [{ id: b, state: 'failed', run_at: null }], lost: [c] })
    expect((await ask.get(`/tasks/${b}`)).body).toMatchObject({
      state: 'failed',
      reason: 'timeout',
    })
  })
})

describe('an executor', () => {
  test('tells of progress, and writes lines that can be followed', async ({
    ask,
    engine,
    signed,
  }) => {
    const { id, ...held } = await engine.running()
    const claim = await signed(held.claim)

    await ask.post(`/tasks/${id}/progress`, { claim, progress: { percent: 40 } })
    await ask.post(`/tasks/${id}/log`, { claim, message: 'one' })
    const first = await ask.get(`/tasks/${id}/logs`)
    await ask.post(`/tasks/${id}/log`, {
      claim,
      lines: [{ message: 'two', level: 'warn', at: '2020-01-01T00:00:00Z' }],
    })
    const rest = await ask.get(`/tasks/${id}/logs?after=${first.body.next_after}`)

    expect((await ask.get(`/tasks/${id}`)).body.progress).toEqual({ percent: 40 })
    expect(first.body.items).toMatchObject([{ level: 'info', message: 'one' }])
    expect(rest.body.items).toMatchObject([{ level: 'warn', message: 'two' }])
  })

  test.for([
    ['reject', { error: 'busy', delay: '1 minute' }, 'retrying'],
    ['kill', { error: 'hopeless' }, 'failed'],
    ['release', {}, 'ready'],
    ['reschedule', { run_at: '2100-01-01T00:00:00Z', payload: 2 }, 'scheduled'],
  ] as const)('can %s a task', async ([verb, more, state], { ask, engine, signed }) => {
    const { id, claim } = await engine.running()

    const body = { claim: await signed(claim), ...more }
    const { status } = await ask.post(`/tasks/${id}/${verb}`, body)

    expect([200, 204]).toContain(status)
    expect((await ask.get(`/tasks/${id}`)).body).toMatchObject({ state })
  })

  test.for(['complete', 'fail', 'reject', 'kill', 'release', 'progress', 'reschedule'])(
    'that lost its lease cannot %s any more',
    async (verb, { ask, engine, signed }) => {
      const { id, claim } = await engine.running()
      await engine.pass('1 hour', id)
      await engine.rescue()
      const more = { progress: { progress: 1 }, reschedule: { run_at: '2100-01-01T00:00:00Z' } }

      const { status, body } = await ask.post(`/tasks/${id}/${verb}`, {
        claim: await signed(claim),
        ...more[verb as keyof typeof more],
      })

      expect([status, body.code]).toEqual([409, 'lease_lost'])
    },
  )
})
