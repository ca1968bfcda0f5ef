import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** Stores a document and tells what became of it. */
function store(engine: TestEngine, key: string, more: Record<string, unknown> = {}) {
  return engine.enqueue({ queue: 'orders', kind: 'document', key, ...more })
}

describe('a document', () => {
  test('is pulled and settled by any program that speaks SQL', async ({ engine }) => {
    await store(engine, 'a', { payload: { total: 3 } })

    const [held] = await engine.rows<{ id: string; claim: string; payload: unknown }>(
      `select id, claim, payload from claim('orders', p_limit => 10, p_lease => '1 minute', p_kinds => '{document}')`,
    )
    await engine.rows('select complete($1, $2)', held?.id, held?.claim)

    expect(held?.payload).toEqual({ total: 3 })
    expect(await engine.value(`select state from task where key = 'a'`)).toBe('done')
  })

  test('is not given to those who ask for other kinds', async ({ engine }) => {
    await store(engine, 'a')

    expect(await engine.rows(`select * from claim('orders', p_kinds => '{handler}')`)).toEqual([])
  })

  test('is claimed by its version', async ({ engine }) => {
    await store(engine, 'old', { version: 1 })
    await store(engine, 'new', { version: 2 })

    const taken = await engine.rows(
      `select key from claim('orders', 10, p_kinds => '{document}', p_handlers => array[null]::text[],
                             p_versions_from => '{2}', p_versions_to => '{2}')`,
    )

    expect(taken).toEqual([{ key: 'new' }])
  })

  test('that lives for ever keeps the latest hundred failed attempts of its earlier rounds', async ({
    engine,
  }) => {
    const { id } = await store(engine, 'a')
    const fail = (iteration: number, count: number) =>
      engine.rows(
        `insert into attempts (task, iteration, attempt, ended_at, reason)
         select $1, $2, 1, clock_timestamp(), 'rejected' from generate_series(1, $3)`,
        id,
        iteration,
        count,
      )
    const kept = () =>
      engine.rows('select iteration::int, count(*)::int from attempts group by 1 order by 1')
    await fail(0, 300)
    for (const round of [1, 2]) {
      await engine.reschedule(await engine.claimOne('orders'), new Date(0))
      await fail(round, 60)
    }

    await engine.reject(await engine.claimOne('orders'), { message: 'no' }, '0')

    expect(await kept()).toEqual([
      { iteration: 1, count: 39 },
      { iteration: 2, count: 61 },
    ])
    await fail(2, 200)
    await engine.fail(await engine.claimOne('orders'), { message: 'no' })
    expect(await kept()).toEqual([{ iteration: 2, count: 262 }])
  })

  test('lives for ever: each round counts, begins its attempts anew and may change the payload', async ({
    engine,
  }) => {
    await store(engine, 'a', { payload: { round: 0 }, maxAttempts: 2 })
    for (const round of [1, 2, 3]) {
      const held = await engine.claimOne('orders')
      await engine.reschedule(held, new Date(0), { round })
    }

    const last = await engine.claimOne('orders')
    await engine.reschedule(last, new Date(0))

    expect(await engine.claimOne('orders')).toMatchObject({
      iteration: 4,
      attempt: 1,
      payload: { round: 3 },
    })
  })

  test('keeps its key beyond its end where its queue says so', async ({ engine }) => {
    await engine.setQueue('orders', { keeps_keys: true })
    const first = await store(engine, 'a')
    await engine.complete(await engine.claimOne('orders'))

    expect(await store(engine, 'a')).toMatchObject({ id: first.id, outcome: 'kept' })
  })

  test('is refused to a token that lost it', async ({ engine }) => {
    await store(engine, 'a')
    const late = await engine.claimOne('orders')
    await engine.pass('1 minute', late.id)
    await engine.rescue()
    const next = await engine.claimOne('orders')

    await expect(engine.complete(late)).rejects.toMatchObject({ code: 'lease_lost' })
    await engine.complete(next)
  })

  test('is held for longer by a caller that extends its lease', async ({ engine }) => {
    await store(engine, 'a')
    const held = await engine.claimOne('orders')

    await engine.rows(`select extend(array[$1::bigint], '1 hour')`, held.claim)
    await engine.pass('5 minutes', held.id)

    expect(await engine.rescue()).toEqual([])
  })

  test('comes back from the dead with all its attempts', async ({ engine }) => {
    await store(engine, 'a')
    const held = await engine.claimOne('orders')
    await engine.kill(held)

    await engine.retry(held.id)

    expect(await engine.claimOne('orders')).toMatchObject({ id: held.id, attempt: 1 })
  })

  test('is purged when the retention of its queue is over', async ({ engine }) => {
    await engine.setQueue('orders', { keep_done: '1 hour', keeps_keys: true })
    await store(engine, 'a')
    await engine.complete(await engine.claimOne('orders'))
    await engine.pass('2 hours')

    await engine.sweep()

    expect(await store(engine, 'a')).toMatchObject({ outcome: 'created' })
  })
})

describe('documents in bulk', () => {
  test('are claimed under one token and settled with one call', async ({ engine }) => {
    for (const key of ['a', 'b', 'c']) await store(engine, key)
    const held = await engine.claim('orders', { limit: 10 })

    const done = await engine.completeMany(held.map((task) => ({ ...task, output: null })))

    expect(new Set(held.map(({ claim }) => claim)).size).toBe(1)
    expect(done).toHaveLength(3)
  })
})

describe('delete_many', () => {
  test('removes tasks of every state, with their keys', async ({ engine }) => {
    await engine.setQueue('orders', { keeps_keys: true })
    const ids = [(await store(engine, 'queued')).id]
    for (const key of ['running', 'done']) {
      await store(engine, key, { priority: 1 })
      const held = await engine.claimOne('orders')
      if (key === 'done') await engine.complete(held)
      ids.push(held.id)
    }

    const gone = await engine.rows<{ id: string }>('select delete_many($1) as id', [
      ...ids,
      '999999999',
    ])

    expect(gone.map(({ id }) => id).sort()).toEqual(ids.sort())
    expect(await engine.value('select count(*)::int from task')).toBe(0)
    for (const key of ['queued', 'running', 'done'])
      expect(await store(engine, key)).toMatchObject({ outcome: 'created' })
  })
})

describe('rescue_queue', () => {
  async function lose(engine: TestEngine, queue: string, maxAttempts: number) {
    await engine.enqueue({ queue, maxAttempts })
    const held = await engine.claimOne(queue)
    await engine.pass('1 minute', held.id)
    return held.id
  }

  test('rescues in one queue alone', async ({ engine }) => {
    const ours = await lose(engine, 'orders', 3)
    await lose(engine, 'mail', 3)

    const rescued = await engine.rows(`select * from rescue_queue('orders')`)

    expect(rescued).toEqual([{ id: ours, state: 'queued' }])
    expect(await engine.rescue()).toHaveLength(1)
  })

  test('takes only those that would end as asked', async ({ engine }) => {
    const dead = await lose(engine, 'orders', 1)
    const orphan = await lose(engine, 'orders', 3)

    expect(await engine.rows(`select id from rescue_queue('orders', 10, 'failed')`)).toEqual([
      { id: dead },
    ])
    expect(await engine.rows(`select id from rescue_queue('orders', 10, 'queued')`)).toEqual([
      { id: orphan },
    ])
  })

  test('leaves what is held in time', async ({ engine }) => {
    await engine.running({ queue: 'orders' })

    expect(await engine.rows(`select * from rescue_queue('orders')`)).toEqual([])
    expect(await engine.rows(`select * from rescue_queue('orders', 0)`)).toEqual([])
  })

  test('refuses an end that no rescue has', async ({ engine }) => {
    await expect(engine.rows(`select rescue_queue('orders', 1, 'done')`)).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })
})

describe('trace_key', () => {
  test('tells the story of a key over all queues', async ({ engine }) => {
    const key = randomUUID()
    await store(engine, key)
    const first = await engine.claimOne('orders')
    await engine.rows(
      `select log(array[$1::bigint], array[$2::bigint], '{info}', '{hello}')`,
      first.id,
      first.claim,
    )
    await engine.reject(first, { code: 'busy' }, '0 seconds')
    await engine.complete(await engine.claimOne('orders'))
    await engine.enqueue({ queue: 'invoices', kind: 'document', key })

    const story = await engine.rows('select queue, event from trace_key($1)', key)

    expect(story).toEqual([
      { queue: 'orders', event: 'enqueued' },
      { queue: 'orders', event: 'log' },
      { queue: 'orders', event: 'rejected' },
      { queue: 'orders', event: 'done' },
      { queue: 'invoices', event: 'enqueued' },
      { queue: 'invoices', event: 'queued' },
    ])
  })
})
