import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect as dial } from 'node:net'
import { describe, expect } from 'vitest'
import { refuseUnread } from '../../src/http/unread.ts'
import { adminToken } from '../support/http.ts'
import { test } from '../support/http-server.ts'
import { until } from '../support/until.ts'

const authorization = `Bearer ${adminToken}`
const json = 'content-type: application/json'

interface Talk {
  /** Settles with its first words. */
  readonly begun: Promise<unknown>
  readonly heard: Promise<string>
  say(word: string): void
  hangUp(): void
}

/** Says something to a server byte by byte, and hears what it answers until it hangs up. */
function talk(port: number, ...words: readonly string[]): Talk {
  const socket = dial(port, '127.0.0.1')
  const begun = once(socket, 'data')
  const heard = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', () => {})
  })
  for (const word of words) socket.write(word)
  return {
    begun,
    heard,
    say: (word) => void socket.write(word),
    hangUp: () => void socket.destroy(),
  }
}

/** The one answer that was heard, checked for what every problem has. */
function readAnswer(heard: string): { status: number; code: string } {
  const [head = '', body = ''] = heard.split('\r\n\r\n')
  const problem = JSON.parse(body)
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${problem.status} `))
  expect(head).toContain('content-type: application/problem+json')
  expect(head).toContain(`content-length: ${body.length}`)
  expect(head).toContain(`x-request-id: ${problem.request_id}`)
  expect(head).toContain('x-content-type-options: nosniff')
  expect(problem).toMatchObject({
    type: `https://pgtusk.dev/errors/${problem.code}`,
    title: expect.any(String),
    detail: expect.any(String),
  })
  return problem
}

describe('the server', () => {
  test('listens on loopback, and says where', async ({ listen }) => {
    const { url, port } = await listen({ basePath: '/tusk' })

    const response = await fetch(`${url}/healthz`)

    expect(url).toBe(`http://127.0.0.1:${port}/tusk`)
    expect(await response.json()).toEqual({ status: 'ok' })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('does not listen to the world while there is no token', async ({ listen, tusk }) => {
    const options = { host: '0.0.0.0', token: undefined }
    await expect(listen(options)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'cannot listen on 0.0.0.0 while there is no token',
    })

    const { id } = await tusk.tokens.create({ name: 'ada', scopes: ['read'] })
    const { port } = await listen(options)
    await tusk.tokens.revoke(id)

    expect(port).toBeGreaterThan(0)
    await expect(listen(options)).rejects.toThrow('no token')
    expect((await listen({ host: '0.0.0.0' })).port).toBeGreaterThan(0)
  })

  test('says in one line that its port is in use', async ({ listen }) => {
    const { port } = await listen()

    await expect(listen({ port })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: `port ${port} of 127.0.0.1 is in use`,
    })
  })

  test('stops waiting for a client that disconnected', async ({ listen, engine }) => {
    const { port } = await listen()
    const body = '{"queue":"mail"}'
    const { hangUp, heard } = talk(
      port,
      `POST /api/v1/claims HTTP/1.1\r\nhost: t\r\nauthorization: ${authorization}\r\n${json}\r\n`,
      `prefer: wait=60\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await until(async () => (await engine.value('select count(*)::integer from sleepers')) === 1)
    hangUp()
    await heard

    const { id } = await engine.enqueue({ queue: 'mail' })

    // A look of theirs that was under way may have taken it, and gives it back.
    await until(async () => (await engine.claim('mail', { limit: 1 })).length === 1)
    expect(await engine.task(id)).toMatchObject({ state: 'running', attempt: 1 })
  })

  test('does not wait for ever for a body', async ({ listen }) => {
    const { port } = await listen({ bodyTimeoutMs: 200 })
    const { heard } = talk(
      port,
      `POST /api/v1/tasks HTTP/1.1\r\nhost: t\r\nauthorization: ${authorization}\r\n${json}\r\n`,
      'content-length: 1000\r\n\r\n{"queue": ',
    )

    const answer = await heard

    expect(answer).toMatch(/^HTTP\/1.1 408 /)
    expect(answer).toContain('"code":"request_timeout"')
  })

  test('hangs up on 10,000 headers, and serves the next', async ({ listen }) => {
    const { port, url } = await listen()
    const headers = Array.from({ length: 10_000 }, (_, i) => `x-${i}: ${i}\r\n`).join('')
    const { heard } = talk(port, `GET /healthz HTTP/1.1\r\nhost: t\r\n${headers}\r\n`)

    expect(readAnswer(await heard)).toMatchObject({ status: 431, code: 'headers_too_large' })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  test.for([
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\nhost: t\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nno colon\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n',
    `POST /api/v1/tasks HTTP/1.1\r\nhost: t\r\n${json}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
  ])('answers %j as a problem, and serves the next', async (words, { listen }) => {
    const { port, url } = await listen()
    const { heard } = talk(port, words)

    expect(readAnswer(await heard)).toMatchObject({ status: 400, code: 'invalid_request' })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  test('answers HTTP/1.0 without a Host, as HAProxy asks', async ({ listen }) => {
    const { port } = await listen()
    const { heard } = talk(port, 'GET /healthz HTTP/1.0\r\n\r\n')

    expect(await heard).toMatch(/^HTTP\/1.1 200 /)
  })

  test('tells who took too long to send their headers', async () => {
    const patience = { headersTimeout: 100, connectionsCheckingInterval: 50 }
    const server = createServer(patience).listen(0, '127.0.0.1')
    refuseUnread(server)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo

    const { heard } = talk(port, 'GET / HTTP/1.1\r\nhost: t\r\n')

    expect(readAnswer(await heard)).toMatchObject({ status: 408, code: 'request_timeout' })
    server.close()
  })

  test('puts no words into an answer that has begun', async ({ listen }) => {
    const { port } = await listen()
    const stream = `GET /api/v1/events HTTP/1.1\r\nhost: t\r\nauthorization: ${authorization}\r\n\r\n`
    const { heard, begun, say } = talk(port, stream)
    await begun

    say('nonsense\r\n\r\n')

    expect(await heard).toMatch(/^HTTP\/1.1 200 /)
    expect(await heard).not.toContain('invalid_request')
  })

  test('stops reading a body that is too large', async ({ listen }) => {
    const { url } = await listen({ maxBodyBytes: 1000 })

    const announced = await fetch(`${url}/api/v1/tasks`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ queue: 'mail', payload: 'x'.repeat(2_000_000) }),
    }).catch((error: Error) => error)
    const { port } = new URL(url)
    const chunk = `3e8\r\n${'x'.repeat(1000)}\r\n`
    const { heard } = talk(
      Number(port),
      `POST /api/v1/tasks HTTP/1.1\r\nhost: t\r\nauthorization: ${authorization}\r\n${json}\r\n`,
      `transfer-encoding: chunked\r\n\r\n${chunk}${chunk}`,
    )

    if (announced instanceof Response) expect(announced.status).toBe(413)
    expect(await heard).toMatch(/^HTTP\/1.1 413 /)
  })

  test('closes within a moment although a client waits', async ({ listen, engine }) => {
    const { url, close } = await listen()
    const waiting = fetch(`${url}/api/v1/claims`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', prefer: 'wait=60' },
      body: '{"queue": "mail"}',
    })
    await until(async () => (await engine.value('select count(*)::integer from sleepers')) === 1)

    await close()

    expect((await waiting).status).toBe(204)
  })
})
