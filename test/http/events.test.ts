import { describe, expect } from 'vitest'
import type { Held } from '../../src/engine/outcomes.ts'
import { adminToken, test } from '../support/http.ts'
import { openStream } from '../support/sse.ts'
import { until } from '../support/until.ts'

const line = ({ id, claim }: Held, message: string) => {
  return { id, claim, message, level: 'info', at: new Date() }
}

/** What streams tell of tasks, in short. */
function inShort(events: readonly { event: string; data: unknown }[]): string[] {
  return events.map(({ event, data }) => `${event} ${(data as { task: string }).task}`)
}

describe('a stream of events', () => {
  test('tells what happens, as it happens', async ({ http, engine }) => {
    const stream = await openStream(http)
    await stream.heard('ready')

    const task = await engine.running({ queue: 'mail' })
    await engine.complete(task)
    await stream.heard('complete')

    expect(stream.events).toMatchObject([
      { event: 'enqueue', data: { task: task.id, queue: 'mail', event: 'enqueue' } },
      { event: 'claim', data: { task: task.id } },
      { event: 'complete', data: { task: task.id } },
    ])
    expect(stream.events.map(({ id }) => id)).toEqual(
      stream.events.map(({ data }) => (data as { id: string }).id),
    )
    expect(stream.retryMs).toBeGreaterThan(0)
    await stream.close()
  })

  test('comes in batches when asked', async ({ http, engine }) => {
    const stream = await openStream(http, '?batch=true')
    await stream.heard('ready')

    await engine.enqueueMany(Array.from({ length: 100 }, () => ({ queue: 'mail' })))
    await stream.heard('events')

    const batch = stream.named('events').map(({ data }) => data as { id: string }[])
    expect(batch).toMatchObject([{ length: 100 }])
    expect(stream.lastId).toBe(batch[0]?.at(-1)?.id)
    await stream.close()
  })

  test('of one queue tells of that queue', async ({ http, engine }) => {
    const stream = await openStream(http, '?queue=mail')
    await stream.heard('ready')

    await engine.enqueue({ queue: 'reports' })
    const { id } = await engine.enqueue({ queue: 'mail' })
    await stream.heard('enqueue')

    expect(inShort(stream.events)).toEqual([`enqueue ${id}`])
    await stream.close()
  })

  test.for(['header', 'query'])(
    'goes on where it was left, by %s: nothing is lost and nothing comes twice',
    async (way, { http, engine }) => {
      const first = await openStream(http)
      await first.heard('ready')
      const one = await engine.enqueue({ queue: 'mail' })
      await first.heard('enqueue')
      await first.close()
      const two = await engine.enqueue({ queue: 'mail' })
      const three = await engine.enqueue({ queue: 'mail' })

      const place = first.lastId ?? ''
      const second =
        way === 'header'
          ? await openStream(http, '', { 'last-event-id': place })
          : await openStream(http, `?after=${place}`)
      await until(async () => second.events.length >= 2)
      const four = await engine.enqueue({ queue: 'mail' })
      await until(async () => second.events.length >= 3)

      expect(inShort(first.events)).toEqual([`enqueue ${one.id}`])
      expect(inShort(second.events)).toEqual([two, three, four].map(({ id }) => `enqueue ${id}`))
      expect(second.named('gap')).toEqual([])
      await second.close()
    },
  )

  test('goes on from the first moment, before anything has happened', async ({ http, engine }) => {
    const first = await openStream(http)
    await first.heard('ready')
    await first.close()
    const { id } = await engine.enqueue({ queue: 'mail' })

    const second = await openStream(http, `?after=${first.lastId}`)
    await second.heard('enqueue')

    expect(inShort(second.events)).toEqual([`enqueue ${id}`])
    await second.close()
  })

  test('waits for those who commit late', async ({ http, engine, connect }) => {
    // The lane of a queue is opened by its first task; the others do not wait for each other.
    await engine.enqueue({ queue: 'mail' })
    const stream = await openStream(http)
    await stream.heard('ready')
    const late = await connect()
    await late.query('begin')
    const [held] = (await late.query(`select id from enqueue('mail')`)).rows
    const { id } = await engine.enqueue({ queue: 'mail' })
    expect(await engine.events({ after: stream.lastId })).toEqual([])

    const other = await openStream(http)
    await other.heard('ready')
    const before = other.lastId
    await late.query('commit')
    await until(async () => stream.events.length >= 2)

    expect(inShort(stream.events)).toEqual([`enqueue ${held.id}`, `enqueue ${id}`])
    const again = await openStream(http, `?after=${before}`)
    await until(async () => again.events.length >= 2)
    expect(inShort(again.events)).toEqual(inShort(stream.events))
    for (const one of [stream, other, again]) await one.close()
  })

  test('says that there is a gap when its place is no longer kept', async ({
    http,
    engine,
    db,
  }) => {
    const first = await openStream(http)
    await first.heard('ready')
    // Who hears of it has the server read events, so that it does not begin to follow once more.
    await engine.enqueue({ queue: 'mail' })
    await first.heard('enqueue')
    await first.close()
    await db.query(
      `update queues set followed_until = now() - interval '1 second' where name = '*'`,
    )
    await engine.enqueue({ queue: 'mail' })
    await db.query(`select nextval('event_ids')`)

    const second = await openStream(http, `?after=${first.lastId}`)
    await second.heard('gap')
    const { id } = await engine.enqueue({ queue: 'mail' })
    await second.heard('enqueue')

    expect(inShort(second.events)).toEqual([`enqueue ${id}`])
    expect(second.named('ready')).toEqual([])
    await second.close()
  })

  test('says so too when its place is of another history', async ({ http }) => {
    const stream = await openStream(http, '?after=999999999')

    await stream.heard('gap')

    expect(stream.lastId).not.toBe('999999999')
    await stream.close()
  })

  test.for(['abc', '-1', '1 or 1=1', '99999999999999999999'])(
    'does not take %s for a place',
    async (after, { ask }) => {
      const answer = await ask.get(`/events?after=${encodeURIComponent(after)}`)

      expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } })
    },
  )

  test('ends at once when the server closes, with a word', async ({ serve }) => {
    const http = await serve()
    const streams = await Promise.all([openStream(http), openStream(http, '?batch=true')])
    for (const stream of streams) await stream.heard('ready')

    await http.close()

    for (const stream of streams) {
      await until(async () => stream.isOver)
      expect(stream.messages.at(-1)?.event).toBe('closing')
    }
  })

  test('ends when its token is revoked', async ({ http, tusk }) => {
    const { token, id } = await tusk.tokens.create({ name: 'ada', scopes: ['read'] })
    const stream = await openStream(http, '', { authorization: `Bearer ${token}` })
    await stream.heard('ready')

    await tusk.tokens.revoke(id)
    await until(async () => stream.isOver)

    expect(stream.messages.at(-1)?.event).toBe('closing')
  })

  test('is for pages of ours, not for those of others', async ({ http, sessionOf }) => {
    const cookie = await sessionOf(adminToken)
    const ask = (headers: Record<string, string>) =>
      http.fetch(
        new Request('http://tusk.test/api/v1/events', {
          headers: { cookie, ...headers },
        }),
      )

    expect((await ask({})).status).toBe(403)
    expect((await ask({ 'x-tusk-csrf': '1', origin: 'http://evil.test' })).status).toBe(403)
    const own = await ask({ 'x-tusk-csrf': '1' })
    expect(own.status).toBe(200)
    await own.body?.cancel()
  })
})

describe('a stream of one task', () => {
  test('tells its progress and its lines, each once, also after a cut', async ({
    http,
    engine,
  }) => {
    const task = await engine.running({ queue: 'mail' })
    const other = await engine.running({ queue: 'mail' })
    await engine.log([line(task, 'one')])
    await engine.progress(task, '{"percent": 10}')

    const first = await openStream(http, `?task=${task.id}`)
    await first.heard('log')
    await engine.log([line(task, 'two'), line(other, 'not mine')])
    await until(async () => first.named('log').length >= 2)
    await first.close()
    await engine.log([line(task, 'three')])
    await engine.progress(task, '{"percent": 90}')

    const second = await openStream(http, `?task=${task.id}&after=${first.lastId}`)
    await until(async () => second.named('progress').length >= 1 && second.named('log').length >= 1)
    await engine.complete(task)
    await second.heard('complete')

    const lines = [...first.named('log'), ...second.named('log')].flatMap(
      ({ data }) => (data as { lines: { message: string }[] }).lines,
    )
    expect(lines.map(({ message }) => message)).toEqual(['one', 'two', 'three'])
    expect(first.named('progress')[0]?.data).toMatchObject({ progress: { percent: 10 } })
    expect(second.named('progress').at(-1)?.data).toMatchObject({ progress: { percent: 90 } })
    await second.close()
  })

  test('is not there without the task', async ({ ask }) => {
    expect((await ask.get('/events?task=999999')).body.code).toBe('task_not_found')
  })

  test('has room for any progress', async ({ http, engine }) => {
    const task = await engine.running({ queue: 'mail' })
    await engine.progress(task, JSON.stringify('x'.repeat(2_000_000)))

    const stream = await openStream(http, `?task=${task.id}`)
    await until(async () => stream.named('progress').length + stream.named('slow').length > 0)

    expect(stream.named('slow')).toEqual([])
    await stream.close()
  })

  test('has room for the longest log', async ({ http, engine }) => {
    const task = await engine.running({ queue: 'mail' })
    const longest = line(task, '\u0001'.repeat(4_000))
    await engine.log(Array.from({ length: 1_000 }, () => longest))

    const stream = await openStream(http, `?task=${task.id}`)
    const count = () =>
      stream.named('log').flatMap(({ data }) => (data as { lines: unknown[] }).lines).length
    await until(async () => count() === 1_000)

    expect(stream.named('slow')).toEqual([])
    await stream.close()
  })
})
