import { describe, expect } from 'vitest'
import { test as base } from '../support/http.ts'
import { until } from '../support/until.ts'

interface Held {
  /** A task that is due. */
  readonly id: string
  /** Resolves when a client's claim of it is under way. */
  isClaimed(): Promise<void>
  /** Lets it go on. */
  letGo(): Promise<void>
}

/** Has claims wait until they may write theirs down. */
const test = base.extend<{ held: Held }>({
  held: async ({ engine, connect }, use) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    const client = await connect()
    await client.query('begin')
    await client.query('lock table claims in share mode')
    const pid = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const isClaimed = () =>
      until(() =>
        engine.value(
          'select exists (select from pg_stat_activity where $1 = any (pg_blocking_pids(pid)))',
          pid.rows[0]?.pid,
        ),
      )
    await use({
      id,
      isClaimed,
      letGo: async () => {
        await client.query('rollback')
      },
    })
  },
})

describe('a claim that is under way', () => {
  test('releases what a client that disconnected would have got', async ({ ask, engine, held }) => {
    const hangUp = new AbortController()
    const claiming = ask.post('/claims', { queue: 'mail' }, { signal: hangUp.signal })
    await held.isClaimed()

    hangUp.abort()
    await held.letGo()

    expect((await claiming).status).toBe(204)
    expect(await engine.task(held.id)).toMatchObject({ state: 'ready', attempt: 0 })
  })

  test('is kept for a client that disconnected and comes back with its key', async ({
    ask,
    held,
  }) => {
    const headers = { 'idempotency-key': 'take' }
    const hangUp = new AbortController()
    const claiming = ask.post('/claims', { queue: 'mail' }, { headers, signal: hangUp.signal })
    await held.isClaimed()

    hangUp.abort()
    await held.letGo()
    await claiming
    const { status, body } = await ask.post('/claims', { queue: 'mail' }, { headers })

    expect(status).toBe(201)
    const ended = await ask.post(`/tasks/${held.id}/complete`, { claim: body.claim })
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
    held,
    http,
  }) => {
    const claiming = ask.post('/claims', { queue: 'mail' })
    await held.isClaimed()

    const closing = http.close()
    await held.letGo()

    expect(await claiming).toMatchObject({ status: 201, body: { tasks: [{ id: held.id }] } })
    expect(await engine.task(held.id)).toMatchObject({ state: 'running' })
    await closing
  })
})
