import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'
import { openAsk } from '../support/http-ask.ts'

describe('tokens over HTTP', () => {
  test('are shown once, let their holder in, and are revoked', async ({ ask, serve, engine }) => {
    const made = await ask.post('/tokens', { name: 'shop', scopes: ['read', 'enqueue:mail'] })
    expect(made).toMatchObject({ status: 201, body: { token: expect.stringMatching(/^tusk_/) } })
    const { token, id } = made.body

    expect((await ask.as(token).get('/stats')).status).toBe(200)
    const { items } = (await ask.get('/tokens')).body
    expect(items).toMatchObject([{ id, name: 'shop', state: 'alive' }])
    expect(JSON.stringify(items)).not.toContain(token)

    expect(await ask.delete(`/tokens/${id}`)).toMatchObject({
      status: 200,
      body: { paused_schedules: 0 },
    })
    const other = await openAsk(await serve(), token)
    expect((await other.get('/stats')).status).toBe(401)
    expect((await ask.get('/tokens')).body.items).toMatchObject([{ state: 'revoked' }])
    expect((await engine.auditEntries({})).map(({ action }) => action)).toEqual([
      'revoke_token',
      'create_token',
    ])
  })

  test('pause the schedules that were set with them when they are revoked', async ({ ask }) => {
    const make = async () =>
      (await ask.post('/tokens', { name: 'shop', scopes: ['operate'] })).body as {
        id: string
        token: string
      }
    const [first, second] = [await make(), await make()]
    const plan = { task: { queue: 'reports' }, every: '1 hour' }
    await ask.as(first.token).put('/schedules/report', plan)
    await ask.as(second.token).put('/schedules/kept', plan)

    expect((await ask.delete(`/tokens/${first.id}`)).body).toEqual({ paused_schedules: 1 })
    expect(await ask.delete(`/tokens/${second.id}?keep_schedules=true`)).toMatchObject({
      body: { paused_schedules: 0 },
    })

    expect((await ask.get('/schedules/report')).body).toMatchObject({
      state: 'paused',
      token: first.id,
      pause_reason: `token ${first.id} (shop), which set it, was revoked`,
    })
    expect((await ask.get('/schedules/kept')).body).toMatchObject({ state: 'planned', token: null })
    await ask.post('/schedules/report/resume')
    expect((await ask.get('/schedules/report')).body).toMatchObject({
      state: 'planned',
      pause_reason: null,
    })
  })

  test('their secret is not stored for an Idempotency-Key', async ({ ask, db }) => {
    const options = { headers: { 'idempotency-key': 'one token' } }
    const body = { name: 'shop', scopes: ['read'] }

    const first = await ask.post('/tokens', body, options)
    const again = await ask.post('/tokens', body, options)

    expect(first.body.token).toMatch(/^tusk_/)
    expect(again.body).toEqual({ id: first.body.id })
    const { rows } = await db.query('select requests::text as row from requests')
    expect(rows).toHaveLength(1)
    expect(rows[0].row).not.toContain(first.body.token.slice(-30))
  })

  test('need scopes that exist', async ({ ask }) => {
    const answer = await ask.post('/tokens', { name: 'shop', scopes: ['everything'] })

    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_argument' } })
    expect((await ask.post('/tokens', { name: 'shop', scopes: [] })).status).toBe(422)
    expect((await ask.delete('/tokens/999')).body.code).toBe('token_not_found')
  })

  test('the audit is read page by page', async ({ ask }) => {
    for (const queue of ['a', 'b', 'c']) await ask.patch(`/queues/${queue}`, { max_running: 1 })

    const first = await ask.get('/audit?limit=2')
    const rest = await ask.get(`/audit?limit=2&cursor=${first.body.next_cursor}`)

    const objects = [...first.body.items, ...rest.body.items].map(({ object }) => object)
    expect(objects).toEqual(['queue c', 'queue b', 'queue a'])
    expect(rest.body.next_cursor).toBeNull()
    expect((await ask.get('/audit?object=queue%20b')).body.items).toHaveLength(1)
  })
})
