import { connect as dial } from 'node:net'
import { describe, expect } from 'vitest'
import { adminToken } from '../support/http.ts'
import { test } from '../support/http-server.ts'
import { until } from '../support/until.ts'

const authorization = `Bearer ${adminToken}`
const json = 'content-type: application/json'

/** Says something to a server byte by byte, and hears what it answers until it hangs up. */
function talk(
  port: number,
  ...words: readonly string[]
): { heard: Promise<string>; hangUp(): void } {
  const socket = dial(port, '127.0.0.1')
  const heard = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', () => {})
  })
  for (const word of words) socket.write(word)
  return { heard, hangUp: () => socket.destroy() }
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
      message: 'will not listen on 0.0.0.0 while there is no token',
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

  test('stops waiting for a client that hung up', async ({ listen, engine }) => {
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

    await engine.claimOne('mail')
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

    expect(await heard).toMatch(/^HTTP\/1.1 431 /)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
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

  test('closes within a moment although somebody waits', async ({ listen, engine }) => {
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
