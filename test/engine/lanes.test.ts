import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** Opens lanes of one queue and leaves them without a task. */
async function openLanes(engine: TestEngine, count: number): Promise<void> {
  await engine.rows(
    `select enqueue_many(array_fill('mail'::text, array[$1::integer]), array_fill('{}'::jsonb, array[$1::integer]),
                         p_priorities => array(select generate_series(1, $1)))`,
    count,
  )
  await engine.rows('select delete_many(array(select id from tasks))')
}

const lanes = (engine: TestEngine) =>
  engine.value<number>(`select count(*)::integer from lanes where queue = 'mail'`)

/** Until a lane would have been removed, had nothing stood in the way. */
async function sweepOften(engine: TestEngine): Promise<void> {
  for (let round = 0; round < 6; round++) await engine.rows('select close_lanes(1000)')
}

describe('lanes that no task uses', () => {
  test('are removed, but for one', async ({ engine }) => {
    await openLanes(engine, 40)

    for (let round = 0; round < 6; round++) await engine.sweep()

    expect(await lanes(engine)).toBe(1)
  })

  test('stay where there are few of them', async ({ engine }) => {
    await openLanes(engine, 10)

    await sweepOften(engine)

    expect(await lanes(engine)).toBe(10)
  })

  test('stay while a task has their priority, whatever it waits for', async ({ engine }) => {
    await openLanes(engine, 40)
    await engine.rows(`select set_group('g', '{"max_running": 1}')`)
    await engine.enqueue({ queue: 'mail', priority: 10, runAt: new Date(Date.now() + 3_600_000) })
    await engine.running({ queue: 'mail', priority: 11 })
    await engine.running({ queue: 'mail', priority: 12, groups: ['g'] })
    await engine.enqueue({ queue: 'mail', priority: 13, groups: ['g'] })
    await engine.claim('mail')

    await sweepOften(engine)

    expect(
      await engine.rows(`select distinct priority from lanes where queue = 'mail' order by 1`),
    ).toEqual([1, 10, 11, 12, 13].map((priority) => ({ priority })))
  })

  test('are opened again by a task that comes at any step', async ({ engine }) => {
    await openLanes(engine, 40)
    for (let priority = 10; priority < 16; priority++) {
      await engine.enqueue({ queue: 'mail', priority })
      await engine.sweep()
    }

    await sweepOften(engine)

    expect(await engine.claim('mail', { limit: 10 })).toHaveLength(6)
  })
})

describe('a task whose transaction saw its lane', () => {
  test.for(['enqueue', 'enqueue_many', 'retry'])(
    'is claimed when it commits after many sweeps (%s)',
    async (verb, { engine, connect }) => {
      await openLanes(engine, 40)
      const ended = await engine.running({ queue: 'mail', priority: 30 })
      await engine.complete(ended)
      const client = await connect()
      await client.query('begin')
      const producer = engine.on(client)
      if (verb === 'retry') await producer.retry(ended.id)
      if (verb === 'enqueue') await producer.rows(`select enqueue('mail', p_priority => 30)`)
      if (verb === 'enqueue_many') await producer.enqueueMany([{ queue: 'mail', priority: 30 }])

      await sweepOften(engine)
      await client.query('commit')
      await sweepOften(engine)

      expect(await engine.claim('mail')).toHaveLength(1)
    },
  )

  test('is claimed when it looked before the lane was marked and stored after', async ({
    engine,
    connect,
  }) => {
    await openLanes(engine, 40)
    const [client, other] = [await connect(), await connect()]
    // Holds the key, so that the producer waits between its look and its task.
    await other.query('begin')
    await engine.on(other).enqueue({ queue: 'mail', key: 'k' })
    const waiting = client.query(`select enqueue('mail', p_key => 'k', p_priority => 30)`)
    await expect
      .poll(() => engine.value(`select count(*)::integer from pg_locks where not granted`))
      .toBeGreaterThan(0)

    await sweepOften(engine)
    await other.query('rollback')
    await waiting
    await sweepOften(engine)

    expect(await engine.claim('mail')).toHaveLength(1)
  })

  test.for([
    `enqueue('mail', p_priority => 30)`,
    `enqueue_many('[{"queue": "mail", "priority": 30}]')`,
  ])(
    'is claimed when its snapshot is older than the mark: %s',
    async (call, { engine, connect }) => {
      await openLanes(engine, 40)
      const client = await connect()
      await client.query('begin isolation level repeatable read; select count(*) from installed')
      await sweepOften(engine)

      await client.query(`select ${call}`)
      await sweepOften(engine)
      await client.query('commit')

      expect(await engine.claim('mail')).toHaveLength(1)
    },
  )

  test('is claimed when all sweeps are one transaction', async ({ engine, connect }) => {
    await openLanes(engine, 40)
    const client = await connect()
    await client.query('begin')
    await sweepOften(engine.on(client))

    await engine.enqueue({ queue: 'mail', priority: 30 })
    await client.query('commit')

    expect(await engine.claim('mail')).toHaveLength(1)
  })

  test('is never lost while others enqueue, claim and sweep', async ({ engine }) => {
    await openLanes(engine, 40)
    let enqueued = 0
    let claimed = 0
    const over = new AbortController()
    const produce = async (seed: number) => {
      for (let n = 0; n < 60; n++) {
        await engine.enqueue({ queue: 'mail', priority: ((n * 7 + seed * 13) % 40) + 1 })
        enqueued++
      }
    }
    const sweep = async () => {
      while (!over.signal.aborted) await engine.rows('select close_lanes(1000)')
    }
    const consume = async () => {
      while (!over.signal.aborted) {
        const tasks = await engine.claim('mail', { limit: 10 })
        claimed += (await engine.completeMany(tasks)).length
      }
    }
    const others = [sweep(), sweep(), consume()]
    await Promise.all([produce(1), produce(2), produce(3)])
    over.abort()
    await Promise.all(others)

    const rest = await engine.claim('mail', { limit: 1_000 })

    expect(claimed + rest.length).toBe(enqueued)
  })
})

describe('the number of lanes', () => {
  test('has a bound for producers', async ({ engine }) => {
    await openLanes(engine, 1_000)

    await expect(engine.enqueue({ queue: 'mail', priority: 5_000 })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('1000 priorities'),
    })
    await expect(
      engine.rows(
        `select enqueue_many(array_fill('post'::text, array[1001]), array_fill('{}'::jsonb, array[1001]),
                             p_priorities => array(select generate_series(1, 1001)))`,
      ),
    ).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  test('leaves known priorities and other queues alone', async ({ engine }) => {
    await openLanes(engine, 1_000)

    await engine.enqueue({ queue: 'mail', priority: 7 })
    await engine.enqueue({ queue: 'post', priority: 5_000 })

    expect(await engine.claim('mail')).toHaveLength(1)
  })

  test('makes room again when unused lanes are removed', async ({ engine }) => {
    await openLanes(engine, 1_000)
    await sweepOften(engine)

    await engine.enqueue({ queue: 'mail', priority: 5_000 })

    expect(await engine.claim('mail')).toHaveLength(1)
  })
})
