import type pg from 'pg'
import { describe, expect } from 'vitest'
import { test as base } from '../support/client.ts'
import { until } from '../support/until.ts'

interface Blocker {
  /** Takes a key in a transaction: sessions that want the same key wait. */
  take(key: string): Promise<void>
  /** How many statements wait for a key now. */
  waiting(): Promise<number>
  /** Ends the connections of the sessions that wait. */
  cut(): Promise<void>
  let(): Promise<void>
}

const test = base.extend<{ blocker: Blocker }>({
  blocker: async ({ engine, connect, schema }, use) => {
    const client = await connect()
    // In a deadlock the other side shall be the one that notices and gives way.
    await client.query(`set deadlock_timeout = '60s'; begin`)
    const waiters = `from pg_stat_activity where wait_event_type = 'Lock' and query like '%${schema}%'`
    const count = async (db: pg.Client) => (await db.query(`select ${waiters}`)).rowCount ?? 0
    const eye = await connect()
    await use({
      take: async (key) => void (await engine.on(client).enqueue({ queue: 'mail', key })),
      waiting: () => count(eye),
      cut: async () => void (await eye.query(`select pg_terminate_backend(pid) ${waiters}`)),
      let: async () => void (await client.query('commit')),
    })
  },
})

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('concurrent enqueues', () => {
  test('made in one breath share a statement', async ({ tusk, engine }) => {
    const handles = await Promise.all(
      numbers(200).map((payload) => tusk.enqueueTask({ queue: 'mail', payload })),
    )

    const stored = await engine.rows<{ id: string; payload: number }>(
      'select id, payload from task order by payload',
    )
    expect(handles.map(({ id }) => id)).toEqual(stored.map(({ id }) => id))
    expect(await engine.value('select count(distinct created_at)::integer from task')).toBe(1)
  })

  test('are cut into statements of bounded size', async ({ open, engine }) => {
    const tusk = await open({ maxBatch: 50 })

    await Promise.all(numbers(200).map(() => tusk.enqueueTask({ queue: 'mail' })))

    expect(await engine.value('select count(distinct created_at)::integer from task')).toBe(4)
  })

  test('made one after the other wait for no other call', async ({ tusk, engine }) => {
    for (const payload of numbers(3)) await tusk.enqueueTask({ queue: 'mail', payload })

    expect(await engine.value('select count(distinct created_at)::integer from task')).toBe(3)
  })

  test('pass a statement that waits for a key', async ({ tusk, blocker, engine }) => {
    await blocker.take('k')
    const stuck = tusk.enqueueTask({ queue: 'mail', key: 'k' })
    await until(async () => (await blocker.waiting()) === 1)

    await Promise.all(numbers(50).map(() => tusk.enqueueTask({ queue: 'other' })))
    expect(await blocker.waiting()).toBe(1)
    await blocker.let()

    expect(await stuck).toMatchObject({ outcome: 'kept' })
    expect(await engine.rows('select from task')).toHaveLength(51)
  })

  test.for([{ maxBatch: 0 }, { maxBatch: 1.5 }, { maxPending: 0 }, { maxPending: Number.NaN }])(
    'need bounds that are counts, not %o',
    async (limits, { open }) => {
      await expect(open(limits)).rejects.toMatchObject({ code: 'invalid_argument' })
    },
  )

  test('beyond the bound are refused, and those within it are stored', async ({
    open,
    blocker,
  }) => {
    const tusk = await open({ maxPending: 10 })
    await blocker.take('k')
    const within = numbers(10).map(() => tusk.enqueueTask({ queue: 'mail', key: 'k' }))

    const beyond = tusk.enqueueTask({ queue: 'mail' })
    await expect(beyond).rejects.toMatchObject({ code: 'too_many_pending' })
    await blocker.let()

    expect(await Promise.all(within)).toHaveLength(10)
    await expect(tusk.enqueueTask({ queue: 'mail' })).resolves.toMatchObject({ outcome: 'created' })
  })

  test('are all stored when the client is closed meanwhile', async ({ open, engine }) => {
    const tusk = await open()

    const asked = numbers(20).map(() => tusk.enqueueTask({ queue: 'mail' }))
    await tusk.close()

    expect(await Promise.all(asked)).toHaveLength(20)
    expect(await engine.rows('select from task')).toHaveLength(20)
    await expect(tusk.enqueueTask({ queue: 'mail' })).rejects.toMatchObject({
      code: 'client_closed',
    })
  })
})

describe('a task at fault', () => {
  test.for([
    ['is invalid', { maxAttempts: 0 }, 'invalid_argument', 'the task cannot be enqueued'],
    ['is too large', { payload: 'x'.repeat(300_000) }, 'payload_too_large', 'of the task has'],
    ['has a time span that is none', { timeout: 'soon' }, 'invalid_argument', 'soon'],
    ['has a number out of range', { priority: 2 ** 40 }, 'invalid_argument', String(2 ** 40)],
  ] as const)('fails alone when it %s', async ([, fault, code, message], { tusk, engine }) => {
    const good = () => tusk.enqueueTask({ queue: 'mail' })

    const answers = await Promise.allSettled([
      ...numbers(20).map(good),
      tusk.enqueueTask({ queue: 'mail', ...fault }),
      ...numbers(20).map(good),
    ])

    const refused = answers.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: { code, message: expect.stringContaining(message) } }])
    expect(answers[20]?.status).toBe('rejected')
    expect(await engine.rows('select from task')).toHaveLength(40)
  })

  test('fails alone among others at fault', async ({ tusk, engine }) => {
    const faults = [{ timeout: 'soon' }, { maxAttempts: 0 }, {}, { priority: 1.5 }, {}]

    const answers = await Promise.allSettled(
      faults.map((fault) => tusk.enqueueTask({ queue: 'mail', ...fault })),
    )

    expect(answers.map(({ status }) => status === 'fulfilled')).toEqual([
      false,
      false,
      true,
      false,
      true,
    ])
    expect(await engine.rows('select from task')).toHaveLength(2)
  })
})

describe('a statement that fails', () => {
  test('leaves no caller in doubt who was not part of it', async ({ tusk, blocker, engine }) => {
    await blocker.take('k')
    const lost = expect(tusk.enqueueTask({ queue: 'mail', key: 'k' })).rejects.toMatchObject({
      code: 'outcome_unknown',
      hint: expect.stringContaining('key'),
    })
    await until(async () => (await blocker.waiting()) === 1)

    await blocker.cut()
    await lost
    const after = await tusk.enqueueTask({ queue: 'mail', key: 'another' })

    expect(after.outcome).toBe('created')
    expect(await engine.value('select count(*)::integer from task')).toBe(1)
  })

  test('is sent again after a deadlock, which stored nothing', async ({ tusk, blocker }) => {
    await blocker.take('b')
    const asked = ['a', 'b'].map((key) => tusk.enqueueTask({ queue: 'mail', key }))
    await until(async () => (await blocker.waiting()) === 1)

    await blocker.take('a')
    await blocker.let()

    expect((await Promise.all(asked)).map(({ outcome }) => outcome)).toEqual(['kept', 'kept'])
  })
})
