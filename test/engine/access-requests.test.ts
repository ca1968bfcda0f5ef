import { createHash } from 'node:crypto'
import type pg from 'pg'
import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const request = { caller: 'token 1', key: 'abc' }
const answer = { status: 201, headers: { location: '/tasks/1' }, body: '{"id":"1"}' }
const digest = (text: string) => createHash('sha256').update(text).digest()
const body = digest('POST /tasks {"queue":"mail"}')

/** A connection in a transaction. */
async function begun(connect: () => Promise<pg.Client>): Promise<pg.Client> {
  const client = await connect()
  await client.query('begin')
  return client
}

describe('begin_request', () => {
  test('gives the stored answer to a request that is sent again', async ({ engine, connect }) => {
    const client = await begun(connect)
    expect(await engine.on(client).beginRequest(request, body)).toEqual({ state: 'new' })
    await engine.on(client).endRequest(request, answer)
    await client.query('commit')

    expect(await engine.beginRequest(request, body)).toEqual({ state: 'done', ...answer })
    expect(await engine.beginRequest(request, body)).toEqual({ state: 'done', ...answer })
  })

  test('tells a second one that the first is under way, and then its answer', async ({
    engine,
    connect,
  }) => {
    const first = await begun(connect)
    const second = await begun(connect)
    await engine.on(first).beginRequest(request, body)

    expect(await engine.on(second).beginRequest(request, body)).toEqual({ state: 'busy' })
    await engine.on(first).endRequest(request, answer)
    expect(await engine.on(second).beginRequest(request, body)).toEqual({ state: 'busy' })
    await first.query('commit')

    expect(await engine.on(second).beginRequest(request, body)).toEqual({
      state: 'done',
      ...answer,
    })
  })

  test('refuses a key that was used for another body', async ({ engine, connect }) => {
    const client = await begun(connect)
    await engine.on(client).beginRequest(request, body)
    await engine.on(client).endRequest(request, answer)
    await client.query('commit')

    expect(await engine.beginRequest(request, digest('other'))).toEqual({ state: 'different' })
    expect(await engine.beginRequest({ ...request, caller: 'token 2' }, body)).toEqual({
      state: 'new',
    })
  })

  test('leaves neither effect nor answer after a crash between them', async ({
    engine,
    connect,
  }) => {
    const client = await begun(connect)
    await engine.on(client).beginRequest(request, body)
    await engine.on(client).enqueue({ queue: 'mail' })
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    client.on('error', () => {})
    await engine.rows('select pg_terminate_backend($1, 10000)', rows[0]?.pid)

    expect(await engine.rows('select from task')).toEqual([])
    expect(await engine.beginRequest(request, body)).toEqual({ state: 'new' })
  })

  test('takes a request up again that was begun, committed and never answered', async ({
    engine,
  }) => {
    expect(await engine.beginRequest(request, body)).toEqual({ state: 'new' })

    expect(await engine.beginRequest(request, digest('other'))).toEqual({ state: 'new' })
  })

  test('has one effect when twenty send the same at once', async ({ engine, db }) => {
    const states = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const client = await db.connect()
        try {
          await client.query('begin')
          const own = engine.on(client)
          const { state } = await own.beginRequest(request, body)
          if (state === 'new') {
            await own.enqueue({ queue: 'mail' })
            await own.endRequest(request, answer)
          }
          await client.query('commit')
          return state
        } finally {
          client.release()
        }
      }),
    )

    expect(states.filter((state) => state === 'new')).toHaveLength(1)
    expect(states.filter((state) => state === 'different')).toEqual([])
    expect(await engine.rows('select from task')).toHaveLength(1)
  })

  test('forgets after 24 hours, by the clock of the database', async ({ engine, connect }) => {
    const client = await begun(connect)
    await engine.on(client).beginRequest(request, body)
    await engine.on(client).endRequest(request, answer)
    await client.query('commit')

    await engine.pass('23 hours')
    await engine.sweep()
    expect(await engine.beginRequest(request, body)).toMatchObject({ state: 'done' })

    await engine.pass('61 minutes')
    expect(await engine.on(await begun(connect)).beginRequest(request, digest('other'))).toEqual({
      state: 'new',
    })
  })

  test('is swept when it was forgotten', async ({ engine }) => {
    await engine.beginRequest(request, body)
    await engine.endRequest(request, answer)

    await engine.pass('25 hours')
    await engine.sweep()

    expect(await engine.rows('select from requests')).toEqual([])
  })

  test.for([
    ['no caller', { caller: '', key: 'a' }, body],
    ['no key', { caller: 'a', key: '' }, body],
    ['a key that is too long', { caller: 'a', key: 'a'.repeat(256) }, body],
    ['no fingerprint', request, Buffer.alloc(0)],
  ] as const)('refuses %s', async ([, wrong, fingerprint], { engine }) => {
    await expect(engine.beginRequest(wrong, fingerprint)).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })
})

describe('end_request', () => {
  test('refuses a request that was not begun, or has an answer', async ({ engine }) => {
    const refused = { code: 'wrong_state' }
    await expect(engine.endRequest(request, answer)).rejects.toMatchObject(refused)

    await engine.beginRequest(request, body)
    await engine.endRequest(request, answer)

    await expect(engine.endRequest(request, answer)).rejects.toMatchObject(refused)
  })

  test('refuses a status that is none', async ({ engine }) => {
    await engine.beginRequest(request, body)

    await expect(engine.endRequest(request, { ...answer, status: 42 })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })
})
