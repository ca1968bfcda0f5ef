import { describe, expect } from 'vitest'
import { test } from '../support/http.ts'
import { until } from '../support/until.ts'

const megabyte = 1_000_000
const text = 'x'.repeat(megabyte)
const claimed = 'select coalesce(sum(size), 0)::integer from tasks where claim is not null'

describe('a claim of large tasks over HTTP', () => {
  test('hands out at most 8 MB, and claims nothing else', async ({ engine, ask }) => {
    await engine.setQueue('mail', { max_payload: 10 * megabyte })
    for (let n = 0; n < 20; n += 1) await engine.enqueue({ queue: 'mail', payload: { n, text } })

    const first = await ask.post('/claims', { queue: 'mail', limit: 1000 })
    const running = await engine.value(claimed)
    const rest = [
      await ask.post('/claims', { queue: 'mail', limit: 1000 }),
      await ask.post('/claims', { queue: 'mail', limit: 1000 }),
    ]

    const handedOut = [first, ...rest].map(({ body }) =>
      (body?.tasks ?? []).map(({ payload }: { payload: { n: number } }) => payload.n),
    )
    expect(handedOut).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7],
      [8, 9, 10, 11, 12, 13, 14, 15],
      [16, 17, 18, 19],
    ])
    expect(running).toBe(8)
    expect((await ask.post('/claims', { queue: 'mail' })).status).toBe(204)
  })

  test('leaves what does not fit as if it had not been looked at', async ({ engine, ask }) => {
    await engine.setQueue('mail', { max_payload: 10 * megabyte, max_running: 100 })
    await engine.setGroup('ada', { max_running: 100, rate: 100, rate_window: '1 hour' })
    for (let n = 0; n < 12; n += 1)
      await engine.enqueue({ queue: 'mail', payload: { n, text }, groups: ['ada'] })

    const { body } = await ask.post('/claims', { queue: 'mail', limit: 1000 })

    expect(body.tasks).toHaveLength(8)
    expect(await engine.rows('select open, cardinality(tasks) as tasks from claims')).toEqual([
      { open: 8, tasks: 8 },
    ])
    expect(await engine.rows('select running from groups order by name')).toEqual([
      { running: 8 },
      { running: 8 },
    ])
    expect(await engine.rows(`select sum(attempt)::integer as attempts from tasks`)).toEqual([
      { attempts: 8 },
    ])
    expect(await engine.value(`select (start_counts)[1] from groups where name = 'ada'`)).toBe(8)
  })

  test('hands out one task at the least, however large', async ({ engine, ask }) => {
    await engine.setQueue('mail', { max_payload: 20 * megabyte })
    const payload = { text: 'x'.repeat(9 * megabyte) }
    for (let n = 0; n < 2; n += 1) await engine.enqueue({ queue: 'mail', payload })

    const { body } = await ask.post('/claims', { queue: 'mail', limit: 10 })

    expect(body.tasks).toHaveLength(1)
    expect(await engine.value(claimed)).toBe(1)
  })

  test('counts what stored values have when they are unpacked, and meta', async ({ engine }) => {
    await engine.setQueue('mail', { max_payload: 10 * megabyte })
    for (let n = 0; n < 3; n += 1)
      await engine.enqueue({
        queue: 'mail',
        payload: 'x'.repeat(400),
        meta: { y: 'y'.repeat(500) },
      })

    expect(await engine.claim('mail', { limit: 10, bytes: 2_000 })).toHaveLength(2)
  })

  test('is as long as you ask for when tasks are small', async ({ engine, ask }) => {
    await engine.enqueueMany(
      Array.from({ length: 1_000 }, (_, n) => ({ queue: 'mail', payload: n })),
    )

    expect((await ask.post('/claims', { queue: 'mail', limit: 1000 })).body.tasks).toHaveLength(
      1_000,
    )
  })

  test('serves the groups of a fair queue in turn', async ({ engine, connect }) => {
    const worker = engine.on(await connect())
    await engine.setQueue('mail', { is_fair: true })
    const groups = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const group of [...groups, ...groups])
      await engine.enqueue({ queue: 'mail', payload: 'x'.repeat(1_000), groups: [group] })

    const rounds: string[][] = []
    for (let n = 0; n < 3; n += 1) {
      const tasks = await worker.claim('mail', { limit: 100, bytes: 2_500 })
      rounds.push(tasks.map((task) => task.groups?.[0] ?? ''))
    }

    expect(rounds.map((round) => round.length)).toEqual([2, 2, 2])
    expect(rounds.flat().sort()).toEqual(groups)
  })

  test('is never given twice, and loses nothing, with many claims at once', async ({
    engine,
    tusk,
  }) => {
    await engine.setGroup('ada', { max_running: 7 })
    const sizes = Array.from({ length: 300 }, (_, n) => (n * 7_919) % 2_000)
    await engine.enqueueMany(
      sizes.map((size, n) => ({
        queue: 'mail',
        payload: 'x'.repeat(size),
        ...(n % 3 === 0 ? { groups: ['ada'] } : {}),
      })),
    )

    const seen: string[] = []
    const consume = async () => {
      for (let empty = 0; empty < 3; ) {
        const tasks = await engine.claim('mail', { limit: 100, bytes: 5_000 })
        const bytes = tasks.reduce((sum, { payload }) => sum + String(payload).length + 2, 0)
        expect(tasks.length === 1 || bytes <= 5_000).toBe(true)
        seen.push(...tasks.map(({ id }) => id))
        if (tasks.length > 0) await tusk.claims.completeMany(tasks)
        empty = tasks.length === 0 ? empty + 1 : 0
      }
    }
    await Promise.all([consume(), consume(), consume(), consume()])
    await until(async () => {
      await consume()
      return seen.length >= sizes.length
    })

    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength(sizes.length)
    expect(await engine.value('select running from groups where name = $1', 'ada')).toBe(0)
  })

  test('waits for a group that another transaction holds, as any claim does', async ({
    engine,
    connect,
  }) => {
    await engine.setGroup('ada', { max_running: 5 })
    await engine.enqueue({ queue: 'mail', groups: ['ada'] })
    const holder = await connect()
    const worker = engine.on(await connect())
    await holder.query(`begin; select from groups where name = 'ada' for update`)

    expect(await worker.claim('mail', { limit: 10, bytes: 1_000 })).toEqual([])
    // What claim() leaves in a session when it has waited in vain.
    expect(await worker.value(`select current_setting('tusk.hurries_until', true)`)).toBeTruthy()
    await holder.query('commit')

    expect(await worker.claim('mail', { limit: 10, bytes: 1_000 })).toHaveLength(1)
  })

  test('rejects a number of bytes that holds nothing', async ({ engine }) => {
    await expect(engine.claim('mail', { bytes: 0 })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })
})
