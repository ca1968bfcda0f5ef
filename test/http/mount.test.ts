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
async function roundTrip(base: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
  const made = await fetch(`${base}/tusk/api/v1/tasks`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ queue: 'mail', payload: { to: 'ada' } }),
  })
  expect(made.status).toBe(201)
  const seen = await fetch(`${base}${made.headers.get('location')}`, { headers })
  return seen.json()
}

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
    const after = express().use(express.json()).use('/tusk', http.listener)
    const servers = [await running(createServer(before)), await running(createServer(after))]

    for (const server of servers) {
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
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }

    const made = await app.request('/tusk/api/v1/tasks', {
      method: 'POST',
      headers,
      body: JSON.stringify({ queue: 'mail', payload: { to: 'ada' } }),
    })
    const seen = await app.request(made.headers.get('location') ?? '', { headers })

    expect(await seen.json()).toMatchObject(task)
  })

  test('and leaves the globals of the application alone', async ({ serve }) => {
    const before = [globalThis.Request, globalThis.Response]

    await serve()

    expect([globalThis.Request, globalThis.Response]).toEqual(before)
  })
})
