import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { adminToken, test } from '../support/http.ts'

const origin = 'http://tusk.test'

describe('a session', () => {
  test('is a cookie that scripts cannot read', async ({ ask }) => {
    const { status, headers, body } = await ask.as(null).post('/session', { token: adminToken })

    expect(status).toBe(200)
    expect(body).toEqual({
      name: 'start',
      scopes: ['admin'],
      by: 'session',
      expires_at: expect.any(String),
    })
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^tusk_session=[\w-]{43}; /)
    expect(cookie).not.toContain(adminToken)
    expect(cookie).toContain('HttpOnly')
    expect(cookie).toContain('SameSite=Strict')
    expect(cookie).toContain('Path=/;')
    expect(cookie).not.toContain('Secure')
  })

  test('is Secure where the server is seen over https, and below its base path', async ({
    serve,
  }) => {
    const http = await serve({ origin: 'https://tusk.example', basePath: '/tusk' })

    const response = await http.fetch(
      new Request(`${origin}/tusk/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: adminToken }),
      }),
    )

    expect(response.headers.get('set-cookie')).toMatch(/; Path=\/tusk; .*; Secure$/)
  })

  test('lets a page read, and write with a header that no form can set', async ({
    ask,
    sessionOf,
  }) => {
    const page = ask.as(null)
    const cookie = `other=1; ${await sessionOf(adminToken)}`
    const csrf = { 'x-tusk-csrf': '1' }
    const write = (headers: Record<string, string>) =>
      page.post('/tasks', { queue: 'mail' }, { headers: { cookie, ...headers } })

    const read = await page.get('/session', { headers: { cookie } })
    const written = await write({ ...csrf, origin })
    const refused = [
      await write({}),
      await write(csrf),
      await write({ origin }),
      await write({ ...csrf, origin: 'http://evil.test' }),
      await write({ ...csrf, origin: 'null' }),
      await write({ ...csrf, origin, 'sec-fetch-site': 'cross-site' }),
      await write({ ...csrf, origin, 'sec-fetch-site': 'same-site' }),
    ]

    expect(read.body).toMatchObject({ by: 'session' })
    expect(written.status).toBe(201)
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [403, 'cross_site']),
    )
  })

  test('is not the token: neither opens what the other does', async ({ ask, tusk, sessionOf }) => {
    const { token } = await tusk.tokens.create({ name: 'ada', scopes: ['admin'] })
    const cookie = await sessionOf(token)
    const secret = cookie.slice(cookie.indexOf('=') + 1)

    const asCookie = await ask.as(null).get('/session', {
      headers: { cookie: `tusk_session=${token}` },
    })
    const asBearer = await ask.as(secret).get('/session')
    const asToken = await ask.as(null).post('/session', { token: secret })

    expect([asCookie.status, asBearer.status, asToken.status]).toEqual([401, 401, 401])
  })

  test('is known to every server, and the database has its hash only', async ({
    ask,
    serve,
    tusk,
    sessionOf,
    db,
  }) => {
    const { token, id } = await tusk.tokens.create({ name: 'ada', scopes: ['read'] })
    const cookies = [await sessionOf(token), await sessionOf(adminToken)]
    const other = await serve()
    const named = cookies.map(async (cookie) => {
      const request = new Request(`${origin}/api/v1/session`, { headers: { cookie } })
      return ((await (await other.fetch(request)).json()) as { name: string }).name
    })

    expect(await Promise.all(named)).toEqual(['ada', 'start'])
    const { rows } = await db.query('select token, hash from sessions order by created_at')
    const hashes = cookies.map((cookie) =>
      createHash('sha256')
        .update(cookie.slice(cookie.indexOf('=') + 1))
        .digest(),
    )
    expect(rows).toEqual([
      { token: id, hash: hashes[0] },
      { token: null, hash: hashes[1] },
    ])
    expect((await ask.get('/session')).status).toBe(200)
  })

  test('of the token that a server was started with is none for another', async ({
    serve,
    sessionOf,
  }) => {
    const cookie = await sessionOf(adminToken)
    const other = await serve({ token: `tusk_testtest_${'b'.repeat(43)}` })

    const answer = await other.fetch(
      new Request(`${origin}/api/v1/session`, { headers: { cookie } }),
    )

    expect(answer.status).toBe(401)
  })

  test('ends when it is deleted, at every server', async ({ ask, serve, sessionOf }) => {
    const cookie = await sessionOf(adminToken)
    const headers = { cookie, 'x-tusk-csrf': '1', origin }
    const page = ask.as(null)

    const forged = await page.delete('/session', { headers: { cookie } })
    const before = await page.get('/session', { headers })
    const deleted = await page.delete('/session', { headers })
    const after = await page.get('/session', { headers })
    const elsewhere = await (await serve()).fetch(
      new Request(`${origin}/api/v1/session`, { headers }),
    )

    expect([forged.status, before.status, deleted.status]).toEqual([403, 200, 204])
    expect(deleted.headers.get('set-cookie')).toContain('Max-Age=0')
    expect([after.status, elsewhere.status]).toEqual([401, 401])
  })

  test('ends when its token is revoked or has expired, or its own time is over', async ({
    tusk,
    serve,
    sessionOf,
    db,
  }) => {
    const past = "expires_at = now() - interval '1 second'"
    const ends = [
      (id: string) => tusk.tokens.revoke(id),
      (id: string) => db.query(`update tokens set ${past} where id = $1`, [id]),
      (id: string) => db.query(`update sessions set ${past} where token = $1`, [id]),
      async () => {},
    ]
    const cookies = []
    for (const end of ends) {
      const { token, id } = await tusk.tokens.create({ name: 'ada', scopes: ['read'] })
      cookies.push(await sessionOf(token))
      await end(id)
    }
    const other = await serve()

    const states = []
    for (const cookie of cookies) {
      const request = new Request(`${origin}/api/v1/session`, { headers: { cookie } })
      states.push((await other.fetch(request)).status)
    }

    expect(states).toEqual([401, 401, 401, 200])
  })

  test('is removed with the token when that is revoked', async ({ tusk, sessionOf, db }) => {
    const { token, id } = await tusk.tokens.create({ name: 'ada', scopes: ['read'] })
    await sessionOf(token)
    await tusk.tokens.revoke(id)

    expect((await db.query('select from sessions')).rowCount).toBe(0)
  })
})

describe('a token', () => {
  test('is asked for, and refused, with a challenge', async ({ ask }) => {
    const none = await ask.as(null).get('/session')
    const wrong = await ask.as('tusk_wrong').get('/session')
    const basic = await ask.as(null).get('/session', { headers: { authorization: 'Basic YTpi' } })

    expect([none.status, wrong.status, basic.status]).toEqual([401, 401, 401])
    expect(none.headers.get('www-authenticate')).toBe('Bearer realm="tusk"')
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  test('that has expired or lost its second half does not hold', async ({ ask, tusk, db }) => {
    const { token, id } = await tusk.tokens.create({ name: 'ada', scopes: ['read'] })
    const other = await tusk.tokens.create({ name: 'bob', scopes: ['read'] })
    const mixed = token.slice(0, 14) + other.token.slice(14)
    await db.query("update tokens set expires_at = now() - interval '1 second' where id = $1", [id])

    expect((await ask.as(token).get('/session')).status).toBe(401)
    expect((await ask.as(mixed).get('/session')).status).toBe(401)
    expect((await ask.as(other.token).get('/session')).body).toMatchObject({ name: 'bob' })
  })

  test('names what is missing', async ({ ask, tusk }) => {
    const { token } = await tusk.tokens.create({ name: 'ada', scopes: ['read'] })

    const { status, body } = await ask.as(token).post('/tasks/1/cancel')

    expect(status).toBe(403)
    expect(body).toMatchObject({
      code: 'missing_scope',
      detail: 'this request needs the scope operate',
    })
  })

  test('is not needed where the application authenticates callers', async ({ serve }) => {
    const http = await serve({
      authenticate: (request) =>
        request.headers.get('x-user') === 'ada' ? { name: 'ada', scopes: ['read'] } : null,
    })
    const ask = (headers: Record<string, string>) =>
      http.fetch(new Request(`${origin}/api/v1/session`, { headers }))

    expect(await (await ask({ 'x-user': 'ada' })).json()).toMatchObject({ name: 'ada' })
    expect((await ask({ authorization: `Bearer ${adminToken}` })).status).toBe(401)
  })
})

describe('a rate limit', () => {
  test('tells how much is left, and when to come again', async ({ serve }) => {
    const http = await serve({ rateLimit: { perSecond: 0.001, burst: 2 } })
    const ask = () =>
      http.fetch(
        new Request(`${origin}/api/v1/session`, {
          headers: { authorization: `Bearer ${adminToken}` },
        }),
      )

    const answers = [await ask(), await ask(), await ask()]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers[0]?.headers.get('ratelimit')).toMatch(/^"requests";r=1;t=\d+$/)
    expect(answers[2]?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(answers[2]?.headers.get('ratelimit-policy')).toMatch(/^"requests";q=2;w=\d+$/)
  })

  test('never tells those who ask for its health to wait', async ({ serve }) => {
    const http = await serve({ rateLimit: { perSecond: 0.001, burst: 1 } })
    const ask = async (path: string) => (await http.fetch(new Request(`${origin}${path}`))).status

    const health = [await ask('/healthz'), await ask('/healthz'), await ask('/readyz')]
    const others = [await ask('/api/v1/openapi.json'), await ask('/api/v1/openapi.json')]

    expect(health).toEqual([200, 200, 200])
    expect(others).toEqual([200, 429])
  })
})
