import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect } from 'vitest'
import { adminToken, test } from '../support/http.ts'

interface Running {
  readonly url: string
  close(): Promise<unknown>
}

async function running(server: ReturnType<typeof createServer>): Promise<Running> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Enqueues a task, and asks for it at the address that the answer names. */
async function roundTrip(base: string, basePath = '/tusk'): Promise<unknown> {
  const made = await fetch(`${base}${basePath}/api/v1/tasks`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ queue: 'mail', payload: { to: 'ada' } }),
  })
  expect(made.status).toBe(201)
  const seen = await fetch(`${base}${made.headers.get('location')}`, { headers })
  return seen.json()
}

const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
const task = { queue: 'mail', state: 'ready', payload: { to: 'ada' } }

describe('the door opens', () => {
  test('in node:http', async ({ serve }) => {
    const http = await serve({ basePath: '/tusk' })
    const server = await running(
      createServer((incoming, outgoing) => {
        if (incoming.url?.startsWith('/tusk') === true) void http.listener(incoming, outgoing)
        else outgoing.end('mine')
      }),
    )

    expect(await roundTrip(server.url)).toMatchObject(task)
    expect(await (await fetch(server.url)).text()).toBe('mine')
    await server.close()
  })

  test('in Express, before and after it has read bodies', async ({ serve }) => {
    const http = await serve({ basePath: '/tusk' })
    const before = express().use('/tusk', http.listener)
    const type = 'application/json'
    const readers = [express.json(), express.text({ type }), express.raw({ type })]
    const after = readers.map((reader) => express().use(reader).use('/tusk', http.listener))

    for (const app of [before, ...after]) {
      const server = await running(createServer(app))
      expect(await roundTrip(server.url)).toMatchObject(task)
      await server.close()
    }
  })

  test('in Fastify', async ({ serve }) => {
    const http = await serve({ basePath: '/tusk' })
    const app = fastify()
    await app.register((scope, _options, ready) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
      scope.all('/tusk/*', async (request, reply) => {
        reply.hijack()
        await http.listener(request.raw, reply.raw)
      })
      ready()
    })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })

    expect(await roundTrip(url)).toMatchObject(task)
    await app.close()
  })

  test('in Hono', async ({ serve }) => {
    const http = await serve({ basePath: '/tusk' })
    const app = new Hono().all('/tusk/*', (c) => http.fetch(c.req.raw))

    const made = await app.request('/tusk/api/v1/tasks', {
      method: 'POST',
      headers,
      body: JSON.stringify({ queue: 'mail', payload: { to: 'ada' } }),
    })
    const seen = await app.request(made.headers.get('location') ?? '', { headers })

    expect(await seen.json()).toMatchObject(task)
  })

  test.for(['/api', '/api/v1'])(
    'below %s, which looks like its own, stripped by a proxy in front or not',
    async (basePath, { serve }) => {
      const http = await serve({ basePath })
      const stripped = express().use(basePath, http.listener)

      for (const app of [stripped, http.listener]) {
        const server = await running(createServer((...both) => void app(...both)))
        await roundTrip(server.url, basePath)
        expect(await roundTrip(server.url, basePath)).toMatchObject(task)
        const list = await fetch(`${server.url}${basePath}/api/v1/tasks?limit=1`, { headers })
        expect(list.headers.get('link')).toContain(`<${basePath}/api/v1/tasks?`)
        await server.close()
      }
    },
  )

  test('and leaves the globals of the application alone', async ({ serve }) => {
    const before = [globalThis.Request, globalThis.Response]

    await serve()

    expect([globalThis.Request, globalThis.Response]).toEqual(before)
  })
})
