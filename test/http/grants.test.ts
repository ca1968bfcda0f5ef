import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'

const me = (engine: { value<T>(text: string): Promise<T> }) =>
  engine.value<string>('select current_user::text')

describe('grants over HTTP', () => {
  test('are given, listed, revoked and removed, and stand in the audit', async ({
    ask,
    engine,
  }) => {
    const role = await me(engine)
    const rights = ['enqueue', 'consume']

    expect((await ask.post('/grants', { queue: 'mail', role, rights })).status).toBe(204)
    expect((await ask.get('/grants')).body.items).toMatchObject([
      { queue: 'mail', role, rights: ['consume', 'enqueue'], is_known: true },
    ])
    const some = { queue: 'mail', role, rights: ['consume'] }
    expect((await ask.post('/grants/revoke', some)).body).toEqual({ revoked: true })
    expect((await ask.post('/grants/revoke', some)).body).toEqual({ revoked: false })
    expect((await ask.post('/grants/open', { queue: 'mail' })).body).toEqual({ roles: 1 })
    expect((await ask.get('/grants')).body.items).toEqual([])
    expect((await ask.get('/audit')).body.items.map(({ action }: never) => action)).toEqual([
      'open_queue',
      'revoke_queue',
      'grant_queue',
    ])
  })

  test('are for admins, and name a role that exists', async ({ ask, engine }) => {
    const { token } = (await ask.post('/tokens', { name: 'ops', scopes: ['operate'] })).body
    const body = { queue: 'mail', role: await me(engine), rights: ['enqueue'] }

    expect(await ask.as(token).post('/grants', body)).toMatchObject({
      status: 403,
      body: { code: 'missing_scope' },
    })
    expect((await ask.as(token).get('/grants')).status).toBe(403)
    expect(await ask.post('/grants', { ...body, role: 'no such role' })).toMatchObject({
      status: 422,
      body: { code: 'invalid_argument', detail: "there is no role 'no such role'" },
    })
  })
})
