import { readdir, readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import type { Http } from '../../src/http/app.ts'
import { test } from '../support/http.ts'
import { documentOf } from '../support/http-ask.ts'

/** What each scope lets in, besides what needs none. */
const within: Readonly<Record<string, readonly string[]>> = {
  read: ['read'],
  enqueue: ['enqueue'],
  'enqueue:mail': ['enqueue'],
  consume: ['consume'],
  'consume:mail': ['consume'],
  sql: ['sql'],
  operate: ['read', 'enqueue', 'consume', 'operate'],
  admin: ['read', 'enqueue', 'consume', 'sql', 'operate', 'admin'],
}

/** Calls a route with nothing that it needs: a caller that is let in gets some other answer than 401 or 403. */
async function knock(http: Http, method: string, path: string, token?: string): Promise<number> {
  const url = `http://tusk.test${path.replaceAll(/\{\w+\}/g, '999999')}`
  const isKill = path.endsWith('/kill')
  const response = await http.fetch(
    new Request(url, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(isKill ? { 'content-type': 'application/json' } : {}),
      },
      // Without a claim it is an operator's deed.
      ...(isKill ? { body: JSON.stringify({ claim: `1.${'a'.repeat(22)}` }) } : {}),
      signal: AbortSignal.timeout(60_000),
    }),
  )
  await response.body?.cancel()
  return response.status
}

describe('scopes', () => {
  test('every route of the document has one, and every route is in the document', async ({
    http,
  }) => {
    const { paths } = await documentOf(http)
    const documented = Object.entries<Record<string, Record<string, unknown>>>(paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => [
          `${method.toUpperCase()} ${path}`,
          operation['x-tusk-scope'],
        ]),
    )

    const known = http.routes.map(({ method, path, scope }) => [`${method} ${path}`, scope])
    expect(documented.length).toBeGreaterThan(20)
    expect(documented.sort()).toEqual(known.sort())
    for (const [route, scope] of documented) {
      expect(['open', 'any', ...Object.keys(within)], String(route)).toContain(scope)
    }
  })

  test('no file of routes goes around them', async () => {
    const directory = new URL('../../src/http/routes/', import.meta.url)

    for (const file of await readdir(directory)) {
      const text = await readFile(new URL(file, directory), 'utf8')
      expect(text, file).not.toMatch(/\bapp\.(get|post|put|patch|delete|on|use|all)\(/)
    }
  })

  test('no caller without a token gets further than what is open', async ({ http }) => {
    for (const { method, path, scope } of http.routes) {
      const status = await knock(http, method, path)

      if (scope === 'open') expect(status, `${method} ${path}`).not.toBe(401)
      else expect(status, `${method} ${path}`).toBe(401)
    }
  })

  test.for(Object.keys(within))(
    '%s opens what it should, and nothing else',
    async (given, { http, tusk }) => {
      const { token } = await tusk.tokens.create({ name: given, scopes: [given] })

      for (const { method, path, scope } of http.routes) {
        const status = await knock(http, method, path, token)

        const isAllowed = scope === 'open' || scope === 'any' || within[given]?.includes(scope)
        if (isAllowed === true) expect([401, 403], `${method} ${path}`).not.toContain(status)
        if (isAllowed !== true) expect(status, `${method} ${path}`).toBe(403)
      }
    },
  )

  test('one for a queue holds in that queue alone', async ({ ask, tusk }) => {
    const producer = await tusk.tokens.create({ name: 'shop', scopes: ['enqueue:mail'] })
    const consumer = await tusk.tokens.create({ name: 'mailer', scopes: ['consume:mail'] })
    const shop = ask.as(producer.token)
    const mailer = ask.as(consumer.token)

    expect((await shop.post('/tasks', { queue: 'mail' })).status).toBe(201)
    expect((await shop.post('/tasks', { queue: 'reports' })).body.detail).toMatch('enqueue:reports')
    const mixed = await shop.post('/tasks', { tasks: [{ queue: 'mail' }, { queue: 'reports' }] })
    expect(mixed.status).toBe(403)
    expect((await mailer.post('/claims', { queue: 'mail' })).status).toBe(201)
    expect((await mailer.post('/claims', { queue: 'reports' })).status).toBe(403)
  })

  test('a consumer of one queue says nothing about a claim of another', async ({
    ask,
    tusk,
    engine,
    signed,
  }) => {
    const { token } = await tusk.tokens.create({ name: 'mailer', scopes: ['consume:mail'] })
    const mailer = ask.as(token)
    const running = async (queue: string) => {
      const { id, claim } = await engine.running({ queue })
      return { id, claim: await signed(claim) }
    }
    const mine = await running('mail')
    const theirs = await running('reports')

    const answers = [
      await mailer.post(`/claims/${theirs.claim}/extend`),
      await mailer.post(`/claims/${theirs.claim}/complete`, { tasks: [{ id: theirs.id }] }),
      await mailer.post(`/tasks/${theirs.id}/kill`, { claim: theirs.claim }),
      await mailer.post(`/tasks/${theirs.id}/log`, { claim: theirs.claim, message: 'x' }),
      await mailer.post(`/tasks/${mine.id}/complete`, { claim: mine.claim }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 204])
    expect(await tusk.tasks.get(theirs.id)).toMatchObject({ state: 'running' })
  })
})
