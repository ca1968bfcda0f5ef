import type pg from 'pg'
import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'
import { until } from '../support/until.ts'

const waitsForLock = `select exists (
  select from pg_locks where locktype = 'advisory' and not granted)`

/** Has claims wait, as set_queue() does while it begins to count, until the answer is called. */
async function holdClaimsUp(client: pg.Client, schema: string): Promise<() => Promise<void>> {
  await client.query('begin')
  const lock = 'select pg_advisory_xact_lock(hashtext($1), hashtext($2))'
  await client.query(lock, [schema, 'mail'])
  return async () => {
    await client.query('rollback')
  }
}

describe('a claim that is under way', () => {
  test('gives back what a client that hung up would have got', async ({
    ask,
    engine,
    connect,
    schema,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    const letGo = await holdClaimsUp(await connect(), schema)
    const hangUp = new AbortController()
    const claiming = ask.post('/claims', { queue: 'mail' }, { signal: hangUp.signal })
    await until(async () => (await engine.value(waitsForLock)) === true)

    hangUp.abort()
    await letGo()

    expect((await claiming).status).toBe(204)
    expect(await engine.task(id)).toMatchObject({ state: 'ready', attempt: 0 })
  })

  test('is kept for a client that hung up and comes back with its key', async ({
    ask,
    engine,
    connect,
    schema,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    const letGo = await holdClaimsUp(await connect(), schema)
    const headers = { 'idempotency-key': 'take' }
    const hangUp = new AbortController()
    const claiming = ask.post('/claims', { queue: 'mail' }, { headers, signal: hangUp.signal })
    await until(async () => (await engine.value(waitsForLock)) === true)

    hangUp.abort()
    await letGo()
    await claiming
    const { status, body } = await ask.post('/claims', { queue: 'mail' }, { headers })

    expect(status).toBe(201)
    const ended = await ask.post(`/tasks/${id}/complete`, { claim: body.claim })
    expect(ended.status).toBe(204)
  })

  test('is refused when its token is revoked while it waits', async ({ ask, engine, tusk }) => {
    const { token, id } = await tusk.tokens.create({ name: 'ada', scopes: ['consume'] })
    const headers = { prefer: 'wait=60' }
    const waiting = ask.as(token).post('/claims', { queue: 'mail' }, { headers })
    await until(async () => (await engine.value('select count(*)::integer from sleepers')) === 1)

    await tusk.tokens.revoke(id)

    expect(await waiting).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })

  test('is still held by whom a server that closes gave it to', async ({
    ask,
    engine,
    connect,
    schema,
    http,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    const letGo = await holdClaimsUp(await connect(), schema)
    const claiming = ask.post('/claims', { queue: 'mail' })
    await until(async () => (await engine.value(waitsForLock)) === true)

    const closing = http.close()
    await letGo()

    expect(await claiming).toMatchObject({ status: 201, body: { tasks: [{ id }] } })
    expect(await engine.task(id)).toMatchObject({ state: 'running' })
    await closing
  })
})
