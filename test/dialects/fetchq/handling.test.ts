import { describe, expect } from 'vitest'
import { test } from '../../support/fetchq.ts'

const actions = {
  complete: `select fetchq.doc_complete('q1', 'a')`,
  kill: `select fetchq.doc_kill('q1', 'a')`,
  reschedule: `select fetchq.doc_reschedule('q1', 'a', now())`,
  reject: `select fetchq.doc_reject('q1', 'a', 'no', '{}')`,
  drop: `select fetchq.doc_drop('q1', 'a')`,
} as const
const names = Object.keys(actions) as (keyof typeof actions)[]

describe('complete', () => {
  test('ends the document and keeps its subject', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1')

    expect(await fetchq.value(`select fetchq.doc_complete('q1', 'a')`)).toBe(1)

    expect(await fetchq.doc('q1', 'a')).toMatchObject({
      status: 3,
      attempts: 0,
      iterations: '1',
      next_iteration: new Date('2970-01-01'),
      last_iteration: expect.any(Date),
      payload: {},
    })
    expect(await fetchq.value(`select fetchq.doc_push('q1', 'a')`)).toBe(0)
  })

  test('may leave another payload', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1')

    await fetchq.rows(`select fetchq.doc_complete('q1', 'a', '{"sum": 7}')`)

    expect(await fetchq.doc('q1', 'a')).toMatchObject({ payload: { sum: 7 } })
  })
})

describe('reschedule', () => {
  test('counts an iteration, begins attempts anew and keeps the payload', async ({ fetchq }) => {
    await fetchq.queue('q1')
    await fetchq.rows(`select fetchq.doc_push('q1', 'a', '{"n": 1}')`)
    await fetchq.pick('q1')

    expect(
      await fetchq.value(`select fetchq.doc_reschedule('q1', 'a', now() + interval '1d')`),
    ).toBe(1)

    expect(await fetchq.doc('q1', 'a')).toMatchObject({
      status: 0,
      attempts: 0,
      iterations: '1',
      last_iteration: expect.any(Date),
      payload: { n: 1 },
    })
  })

  test('into the past makes it pending at once, with another payload if given', async ({
    fetchq,
  }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1')

    await fetchq.rows(`select fetchq.doc_reschedule('q1', 'a', now() - interval '1y', '{"n": 2}')`)

    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 1, payload: { n: 2 } })
    expect(
      await fetchq.row(`select attempts, iterations, last_iteration from fetchq.doc_pick('q1')`),
    ).toEqual({ attempts: 1, iterations: '1', last_iteration: expect.any(Date) })
  })
})

describe('kill', () => {
  test('gives the document up, keeps its subject and its time', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    const locked = await fetchq.value(`select next_iteration from fetchq.doc_pick('q1')`)

    expect(await fetchq.value(`select fetchq.doc_kill('q1', 'a', '{"why": "?"}')`)).toBe(1)

    expect(await fetchq.doc('q1', 'a')).toMatchObject({
      status: -1,
      attempts: 0,
      iterations: '1',
      next_iteration: locked,
      payload: { why: '?' },
    })
    expect(await fetchq.value(`select fetchq.doc_push('q1', 'a')`)).toBe(0)
  })

  test('is undone by play, with all attempts', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1')
    await fetchq.rows(`select fetchq.doc_kill('q1', 'a')`)

    expect(await fetchq.value(`select fetchq.doc_play('q1', 'a')`)).toBe(1)

    expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 1, attempts: 0, iterations: '1' })
    expect(await fetchq.pick('q1')).toBe('a')
    expect(await fetchq.value(`select fetchq.doc_play('q1', 'a')`)).toBe(0)
  })
})

describe('drop', () => {
  test('removes the document and frees its subject', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1')

    expect(await fetchq.value(`select fetchq.doc_drop('q1', 'a')`)).toBe(1)

    expect(await fetchq.doc('q1', 'a')).toBeUndefined()
    expect(await fetchq.value(`select fetchq.doc_push('q1', 'a')`)).toBe(1)
  })

  test('leaves nothing behind of what was tried, and stops no worker', async ({
    fetchq,
    schemas,
    connect,
  }) => {
    const { client } = await connect()
    const heard: string[] = []
    client.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await client.query(`listen "${schemas.engine}:cancel"`)
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1', '1m')
    await fetchq.rows(`select fetchq.doc_reject('q1', 'a', 'no', '{}')`)
    await fetchq.pass('2 minutes')
    await fetchq.pick('q1')

    await fetchq.rows(`select fetchq.doc_drop('q1', 'a')`)

    for (const table of ['tasks', 'finished', 'attempts', 'claims', 'keys'])
      expect(await fetchq.rows(`select from ${schemas.engine}.${table}`), table).toEqual([])
    expect(await fetchq.rows('select from fetchq.rounds')).toEqual([])
    await client.query(`notify "${schemas.engine}:cancel", 'last'`)
    await expect.poll(() => heard).toEqual(['last'])
  })
})

describe('reject', () => {
  test('makes it pending again when its lock would have ended, and says why', async ({
    fetchq,
  }) => {
    await fetchq.queue('q1', 'a')
    const locked = await fetchq.value(`select next_iteration from fetchq.doc_pick('q1', '5m')`)

    const rejected = await fetchq.value(
      `select fetchq.doc_reject('q1', 'a', 'not now', '{"code": 7}', 'ref-1')`,
    )

    expect(rejected).toBe(1)
    expect(await fetchq.doc('q1', 'a')).toMatchObject({
      status: 1,
      attempts: 1,
      iterations: '1',
      next_iteration: locked,
      last_iteration: expect.any(Date),
    })
    expect(
      await fetchq.rows('select subject, message, details, ref_id from fetchq_data.q1__logs'),
    ).toEqual([{ subject: 'a', message: 'not now', details: { code: 7 }, ref_id: 'ref-1' }])
    expect(await fetchq.pick('q1')).toBeUndefined()
    await fetchq.pass('6 minutes')
    expect(await fetchq.row(`select subject, attempts from fetchq.doc_pick('q1')`)).toEqual({
      subject: 'a',
      attempts: 2,
    })
  })

  test('kills it at the last attempt, which it keeps', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.rows(`select fetchq.queue_set_max_attempts('q1', 2)`)
    for (const status of [1, -1]) {
      await fetchq.pick('q1', '1m')
      await fetchq.rows(`select fetchq.doc_reject('q1', 'a', 'no', '{}')`)
      expect(await fetchq.doc('q1', 'a')).toMatchObject({ status })
      await fetchq.pass('2 minutes')
    }

    expect(await fetchq.doc('q1', 'a')).toMatchObject({ attempts: 2, iterations: '2' })
  })
})

describe('every action', () => {
  test.for(names)('%s touches active documents only', async (name, { fetchq }) => {
    await fetchq.queue('q1', 'a')
    const before = await fetchq.doc('q1', 'a')

    expect(await fetchq.value(actions[name])).toBe(0)

    expect(await fetchq.doc('q1', 'a')).toEqual(before)
  })

  test.for(names)('%s leaves the others of one pick to their holder', async (name, { fetchq }) => {
    await fetchq.queue('q1', 'a', 'b', 'c')
    await fetchq.rows(`select * from fetchq.doc_pick('q1', 3)`)

    expect(await fetchq.value(actions[name])).toBe(1)

    for (const subject of ['b', 'c']) {
      expect(await fetchq.doc('q1', subject)).toMatchObject({ status: 2, attempts: 1 })
      expect(await fetchq.value(`select fetchq.doc_complete('q1', $1)`, subject)).toBe(1)
    }
    expect(await fetchq.engine.rows('select from claims')).toEqual([])
  })

  test.for(names)(
    '%s works late, as long as no other worker got the document',
    async (name, { fetchq }) => {
      await fetchq.queue('q1', 'a')
      await fetchq.pick('q1', '1m')
      await fetchq.pass('2 minutes')

      expect(await fetchq.value(actions[name])).toBe(1)
    },
  )

  test.for(names)(
    '%s is refused to a worker whose document was given to another',
    async (name, { fetchq, connect }) => {
      const [late, next] = [await connect(), await connect()]
      await fetchq.queue('q1', 'a')
      await late.pick('q1', '1m')
      await fetchq.pass('2 minutes')
      await fetchq.engine.rescue()
      await next.pick('q1', '1m')

      expect(await late.value(actions[name])).toBe(0)

      expect(await fetchq.doc('q1', 'a')).toMatchObject({ status: 2, attempts: 2 })
      expect(await next.value(actions[name])).toBe(1)
    },
  )
})

describe('the caller that ends a run', () => {
  test('may come through another connection than it picked with', async ({ fetchq, connect }) => {
    const [one, other] = [await connect(), await connect()]
    await fetchq.queue('q1', 'a')
    await one.pick('q1')

    expect(await other.value(actions.complete)).toBe(1)
  })

  test('is known by its application when pools are used', async ({ fetchq, connect }) => {
    const late = await connect({ application_name: 'late' })
    const next = await connect({ application_name: 'next' })
    const lateToo = await connect({ application_name: 'late' })
    const nextToo = await connect({ application_name: 'next' })
    await fetchq.queue('q1', 'a')
    await late.pick('q1', '1m')
    await fetchq.pass('2 minutes')
    await fetchq.engine.rescue()
    await next.pick('q1', '1m')

    expect(await lateToo.value(actions.complete)).toBe(0)
    expect(await nextToo.value(actions.complete)).toBe(1)
  })

  test('is certain with a token', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    const old = await fetchq.value(`select token from fetchq.doc_pick_token('q1', 0, 1, '1m')`)
    await fetchq.pass('2 minutes')
    await fetchq.engine.rescue()
    const token = await fetchq.value(`select token from fetchq.doc_pick_token('q1')`)

    for (const ending of [
      `select fetchq.doc_complete('q1', 'a', '{}', $1)`,
      `select fetchq.doc_kill('q1', 'a', '{}', $1)`,
      `select fetchq.doc_reschedule('q1', 'a', now(), '{}', $1)`,
      `select fetchq.doc_reject('q1', 'a', 'no', '{}', '', $1)`,
      `select fetchq.doc_drop('q1', 'a', $1::bigint)`,
      `select fetchq.doc_extend('q1', 'a', '1h', $1)`,
    ])
      expect(await fetchq.value(ending, old)).toBe(0)

    expect(await fetchq.value(`select fetchq.doc_complete('q1', 'a', null, $1)`, token)).toBe(1)
  })
})

describe('a lock', () => {
  test('is extended by its holder', async ({ fetchq }) => {
    await fetchq.queue('q1', 'a')
    await fetchq.pick('q1', '1m')

    expect(await fetchq.value(`select fetchq.doc_extend('q1', 'a', '1 hour')`)).toBe(1)
    await fetchq.pass('30 minutes')

    expect(await fetchq.engine.rescue()).toEqual([])
  })
})
