import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'
import { serveQueue } from '../support/serve-queue.ts'
import { until } from '../support/until.ts'

describe('why a task waits, over HTTP', () => {
  test('stands with the task while it waits, and not in lists', async ({ ask, engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })

    expect((await ask.get(`/tasks/${id}`)).body).toMatchObject({
      state: 'ready',
      waiting: [
        {
          code: 'no_worker',
          message: 'no worker serves queue mail',
          hint: expect.any(String),
          data: { queue: 'mail' },
        },
      ],
    })
    expect((await ask.get('/tasks')).body.items[0]).not.toHaveProperty('waiting')

    await engine.claimOne('mail')
    expect((await ask.get(`/tasks/${id}`)).body).not.toHaveProperty('waiting')
  })

  test('stands with the queue, in every list of queues', async ({ ask, engine }) => {
    await engine.enqueue({ queue: 'mail' })
    await engine.enqueue({ queue: 'post' })
    await serveQueue(engine, { queue: 'post', handlers: ['post'] })
    const codes = (queues: { queue: string; waiting: { code: string }[] }[]) =>
      Object.fromEntries(
        queues.map(({ queue, waiting }) => [queue, waiting.map(({ code }) => code)]),
      )
    const expected = { mail: ['no_worker'], post: [] }

    expect(codes((await ask.get('/queues')).body.items)).toEqual(expected)
    expect(codes((await ask.get('/stats')).body.queues)).toEqual(expected)
    expect(codes([(await ask.get('/queues/mail')).body])).toEqual({ mail: ['no_worker'] })
  })
})

describe('an executor over HTTP', () => {
  test('is among the workers with what it takes, and serves its queues', async ({
    ask,
    engine,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail', handler: 'welcome' })
    const claim = { queue: 'mail', worker: 'lambda', handlers: ['hello'], limit: 7 }

    expect((await ask.post('/claims', claim)).status).toBe(204)
    await until(async () => (await ask.get('/workers')).body.items.length === 1)

    expect((await ask.get('/workers')).body.items).toMatchObject([
      {
        id: 'lambda',
        door: 'http',
        pid: null,
        queues: ['mail'],
        handlers: ['hello'],
        slots: 7,
        version: expect.any(String),
      },
    ])
    const codes = async () =>
      (await ask.get(`/tasks/${id}`)).body.waiting.map(({ code }: { code: string }) => code)
    expect(await codes()).toEqual(['no_handler'])

    // What it asks for now is added, and the sign is given at once.
    await ask.post('/claims', { ...claim, queue: 'post', handlers: ['other', 'welcome'] })
    await until(async () => !(await codes()).includes('no_handler'))
    expect((await ask.get('/workers/lambda')).body).toMatchObject({
      queues: ['mail', 'post'],
      handlers: ['hello', 'other', 'welcome'],
    })
  })

  test('registers once, not with each claim', async ({ ask, engine }) => {
    await ask.post('/claims', { queue: 'mail', worker: 'lambda' })
    await until(() => engine.value<boolean>('select count(*) = 1 from workers'))
    const seen = await engine.value('select beat_at from workers')

    for (let n = 0; n < 5; n++) await ask.post('/claims', { queue: 'mail', worker: 'lambda' })
    await ask.post('/claims', { queue: 'mail', worker: 'another' })
    await until(() => engine.value<boolean>('select count(*) = 2 from workers'))

    expect(await engine.value(`select beat_at from workers where id = 'lambda'`)).toEqual(seen)
  })

  test('cannot take the name of a worker', async ({ ask, engine }) => {
    await serveQueue(engine, { id: 'w', queue: 'mail' })
    await ask.post('/claims', { queue: 'post', worker: 'w' })
    await ask.post('/claims', { queue: 'post', worker: 'other' })
    await until(() => engine.value<boolean>(`select count(*) = 1 from workers where id = 'other'`))

    expect(await engine.rows(`select door, queues from workers where id = 'w'`)).toEqual([
      { door: 'sql', queues: ['mail'] },
    ])
  })
})
