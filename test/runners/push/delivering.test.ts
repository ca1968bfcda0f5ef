import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect } from 'vitest'
import { until } from '../../support/until.ts'
import { test as base } from '../../support/worker.ts'

interface Received {
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly json: { type: string; data: unknown; task: Record<string, unknown> }
}

interface Receiver {
  readonly host: string
  readonly url: string
  readonly got: Received[]
  answer: (received: Received, response: ServerResponse) => void
}

const test = base.extend<{ receiver: Receiver; push: (url?: string) => Promise<void> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants an object.
  receiver: async ({}, use) => {
    const got: Received[] = []
    const receiver: Receiver = {
      host: '',
      url: '',
      got,
      answer: (_, response) => response.writeHead(204).end(),
    }
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        const received = { headers: request.headers, body, json: JSON.parse(body) }
        got.push(received)
        receiver.answer(received, response)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await use(
      Object.assign(receiver, { host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/t` }),
    )
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  },
  /** A queue `hooks` with an endpoint, and a worker that pushes. */
  push: async ({ engine, work, receiver }, use) =>
    use(async (url = receiver.url) => {
      const secrets = [{ callback: 'new' }, { callback: 'old' }]
      await engine.rows(`select set_push('hooks', $1)`, JSON.stringify({ url, secrets }))
      await work({
        push: { allow: [receiver.host], secrets: { new: () => 'one', old: () => 'two' } },
      })
    }),
})

describe('a task of a queue that is pushed', () => {
  test('is delivered signed, and the answer becomes its output', async ({
    engine,
    receiver,
    push,
  }) => {
    receiver.answer = (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok": [1]}')
    await push()
    const { id } = await engine.enqueue({
      queue: 'hooks',
      handler: 'welcome',
      payload: { to: 'ada' },
      tags: ['a'],
    })
    await until(() => engine.value(`select state = 'done' from task`))

    expect(await engine.value('select output from task')).toEqual({ ok: [1] })
    const [first] = receiver.got
    const { headers, body, json } = first ?? {
      headers: {} as Received['headers'],
      body: '',
      json: {},
    }
    expect(json).toMatchObject({
      type: 'welcome',
      data: { to: 'ada' },
      task: { id, queue: 'hooks', handler: 'welcome', attempt: 1, max_attempts: 5, tags: ['a'] },
    })
    expect(headers['webhook-id']).toBe(`task_${id}`)
    const signed = `task_${id}.${headers['webhook-timestamp']}.${body}`
    const part = (key: string) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
    expect(headers['webhook-signature']).toBe(`${part('one')} ${part('two')}`)
  })

  test('is tried again after 503, when Retry-After says so, with the same id', async ({
    engine,
    receiver,
    push,
  }) => {
    receiver.answer = (_, response) =>
      response.writeHead(503, { 'retry-after': '3600' }).end('busy')
    await push()
    await engine.enqueue({ queue: 'hooks', maxAttempts: 2 })
    await until(() => engine.value(`select state = 'retrying' from task`))
    expect(
      await engine.value(`select run_at > clock_timestamp() + interval '50 minutes' from task`),
    ).toBe(true)
    expect(await engine.value('select error from attempt')).toMatchObject({
      name: 'PushError',
      code: 'push_unavailable',
      status: 503,
      response: 'busy',
    })

    await engine.rows('select move(id, clock_timestamp()) from task')
    await until(() => engine.value(`select state = 'failed' from task`))
    const ids = receiver.got.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
    expect(ids).toHaveLength(2)
  })

  test.for([400, 404, 410, 422, 301])(
    'fails for good with %s',
    async (status, { engine, receiver, push }) => {
      receiver.answer = (_, response) =>
        response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end()
      await push()
      await engine.enqueue({ queue: 'hooks' })
      await until(() => engine.value(`select state = 'failed' from task`))

      expect(await engine.rows('select attempt, error ->> $1 as code from task', 'code')).toEqual([
        { attempt: 1, code: 'push_rejected' },
      ])
      expect(receiver.got).toHaveLength(1)
    },
  )

  test('runs into its timeout, and is tried again', async ({ engine, receiver, push }) => {
    receiver.answer = () => {}
    await push()
    await engine.enqueue({ queue: 'hooks', timeout: '200 milliseconds', maxAttempts: 1 })
    await until(() => engine.value(`select state = 'failed' from task`))

    expect(await engine.rows('select reason, error ->> $1 as code from task', 'code')).toEqual([
      { reason: 'timeout', code: 'push_timeout' },
    ])
  })

  test('fails when the answer is larger than the worker takes', async ({
    engine,
    receiver,
    push,
  }) => {
    receiver.answer = (_, response) => response.end('x'.repeat(1_000_000))
    await push()
    await engine.enqueue({ queue: 'hooks' })
    await until(() => engine.value(`select state = 'failed' from task`))

    expect(await engine.value(`select error ->> 'code' from task`)).toBe('push_response_too_large')
  })

  test('keeps text that is not JSON as its output', async ({ engine, receiver, push }) => {
    receiver.answer = (_, response) => response.end('thanks\0')
    await push()
    await engine.enqueue({ queue: 'hooks' })
    await until(() => engine.value(`select state = 'done' from task`))

    expect(await engine.value('select output from task')).toBe('thanks')
  })
})

describe('a worker that pushes', () => {
  test.for([
    ['http', 'http://example.org/', 'is not https'],
    ['another port', 'https://example.org:8443/', 'port 8443'],
    ['an address of this machine', 'https://127.0.0.1/', 'not a public address'],
    ['one in an IPv6 address', 'https://[::ffff:127.0.0.1]/', 'not a public address'],
    ['a metadata service', 'https://169.254.169.254/', 'not a public address'],
    ['a decimal address', 'https://2130706433/', 'not a public address'],
    ['a name of this machine', 'https://localhost/', 'not public'],
  ])('does not connect to %s', async ([, url, why], { engine, push, receiver }) => {
    await push(url)
    await engine.enqueue({ queue: 'hooks', maxAttempts: 1 })
    await until(() => engine.value(`select state = 'failed' from task`))

    const error = await engine.value<{ code: string; message: string }>('select error from task')
    expect(error.code).toBe('push_not_allowed')
    expect(error.message).toContain(why)
    expect(receiver.got).toEqual([])
  })

  test('fails tasks whose secret is missing, with its name and not its value', async ({
    engine,
    work,
    receiver,
  }) => {
    const secrets = [{ env: 'TUSK_SECRET_NONE' }]
    await engine.rows(
      `select set_push('hooks', $1)`,
      JSON.stringify({ url: receiver.url, secrets }),
    )
    await work({ push: { allow: [receiver.host] } })
    await engine.enqueue({ queue: 'hooks', maxAttempts: 1 })
    await until(() => engine.value(`select state = 'failed' from task`))

    expect(await engine.value('select error from task')).toMatchObject({
      code: 'push_secret_missing',
      message: expect.stringContaining('TUSK_SECRET_NONE'),
    })
  })

  test('needs a queue with an endpoint, and runs nothing else', async ({ work }) => {
    await expect(work({ push: true })).rejects.toThrow('no queue has an endpoint')
    await expect(work({ push: true, sql: true })).rejects.toThrow('runs nothing else')
  })

  test('keeps to the limits of the queue and of groups', async ({ engine, receiver, push }) => {
    const held: ServerResponse[] = []
    receiver.answer = (_, response) => void held.push(response)
    await engine.rows(`select set_queue('hooks', '{"max_running": 2}')`)
    await engine.enqueueMany(Array.from({ length: 4 }, () => ({ queue: 'hooks' })))
    await push()
    await until(async () => held.length === 2)
    expect(await engine.value(`select count(*)::integer from task where state = 'blocked'`)).toBe(2)

    for (const response of held.splice(0)) response.end()
    await until(async () => held.length === 2)
    for (const response of held) response.end()
    await until(() => engine.value(`select count(*) = 4 from task where state = 'done'`))
  })
})
