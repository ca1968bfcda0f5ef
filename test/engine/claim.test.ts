import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const payloads = (tasks: { payload: unknown }[]) => tasks.map(({ payload }) => payload)

describe('claim', () => {
  test('hands out a due task with everything the worker needs', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', payload: { to: 'ada' }, tags: ['x'] })

    const task = await engine.claimOne('mail', { worker: 'w1', lease: '1 minute' })

    expect(task).toMatchObject({
      id,
      claim: expect.stringMatching(/^\d+$/),
      attempt: 1,
      max_attempts: 5,
      handler: 'mail',
      tags: ['x'],
      payload: { to: 'ada' },
    })
    expect(await engine.task(id)).toMatchObject({
      state: 'running',
      claim: task.claim,
      worker: 'w1',
      lease_expires_at: task.lease_expires_at,
    })
  })

  test('gives a whole batch one token', async ({ engine }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }, { queue: 'mail' }])

    const batch = await engine.claim('mail', { limit: 2 })

    expect(batch).toHaveLength(2)
    expect(batch[0]?.claim).toBe(batch[1]?.claim)
    expect(await engine.rows('select open from claims')).toEqual([{ open: 2 }])
  })

  test('goes by priority, then by time, then by arrival', async ({ engine }) => {
    const early = new Date(Date.now() - 60_000)
    await engine.enqueueMany([
      { queue: 'mail', payload: 'first' },
      { queue: 'mail', payload: 'second' },
      { queue: 'mail', payload: 'early', runAt: early },
      { queue: 'mail', payload: 'low', priority: -1, runAt: early },
      { queue: 'mail', payload: 'high', priority: 1 },
    ])

    const tasks = await engine.claim('mail', { limit: 10 })

    expect(payloads(tasks)).toEqual(['high', 'early', 'first', 'second', 'low'])
  })

  test('gives a task once', async ({ engine }) => {
    await engine.enqueue({ queue: 'mail' })
    await engine.claim('mail')

    expect(await engine.claim('mail')).toEqual([])
  })

  test('leaves what another transaction is claiming, without waiting for it', async ({
    engine,
    connect,
  }) => {
    // Two calls: tasks of one call may share a row.
    const first = await engine.enqueue({ queue: 'mail' })
    const second = await engine.enqueue({ queue: 'mail' })
    const other = await connect()
    await other.query('begin')
    await engine.on(other).claim('mail')

    expect(await engine.claim('mail', { limit: 5 })).toMatchObject([{ id: second.id }])

    await other.query('rollback')
    expect(await engine.claim('mail', { limit: 5 })).toMatchObject([{ id: first.id, attempt: 1 }])
  })

  test('takes a task that became due by the passing of time alone', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', runAt: new Date(Date.now() + 60_000) })
    expect(await engine.claim('mail')).toEqual([])

    await engine.pass('61 seconds', id)

    expect(await engine.claimOne('mail')).toMatchObject({ id })
  })

  test('keeps to its queue', async ({ engine }) => {
    await engine.enqueue({ queue: 'mail' })

    expect(await engine.claim('post')).toEqual([])
  })

  test('keeps away the kinds that the worker cannot run', async ({ engine }) => {
    await engine.enqueue({ queue: 'mail', kind: 'sql', payload: { sql: 'select 1' } })
    await engine.enqueue({ queue: 'mail', payload: 'for a handler' })

    const tasks = await engine.claim('mail', { limit: 5, kinds: ['handler', 'document'] })

    expect(payloads(tasks)).toEqual(['for a handler'])
  })

  test('keeps away handlers and versions that the worker does not have', async ({ engine }) => {
    await engine.enqueueMany([
      { queue: 'mail', handler: 'send', version: 1, payload: 'too old' },
      { queue: 'mail', handler: 'send', version: 2, payload: 'right' },
      { queue: 'mail', handler: 'send', version: 4, payload: 'too new' },
      { queue: 'mail', handler: 'other', version: 2, payload: 'unknown' },
    ])

    const tasks = await engine.rows<{ payload: string }>(
      `select * from claim('mail', 9, p_handlers => '{send}', p_versions_from => '{2}', p_versions_to => '{3}')`,
    )

    expect(payloads(tasks)).toEqual(['right'])
  })

  test('never hands out a task past its deadline', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', deadline: new Date(Date.now() + 60_000) })

    await engine.pass('61 seconds', id)

    expect(await engine.claim('mail')).toEqual([])
  })

  test('names the session as the worker when no worker is named', async ({ engine }) => {
    const task = await engine.running()

    expect((await engine.task(task.id))?.worker).toMatch(/^\w+:\d+$/)
  })

  test('takes nothing when nothing is wanted', async ({ engine }) => {
    await engine.enqueue({ queue: 'mail' })

    expect(await engine.claim('mail', { limit: 0 })).toEqual([])
  })

  test('begins in each lane where the hint says', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    const from = (time: string) =>
      `select id from claim('mail', p_from_priorities => '{0}', p_from_times => array[now() ${time}])`

    expect(await engine.rows(from(`+ interval '1 hour'`))).toEqual([])

    expect(await engine.rows(from(`- interval '1 hour'`))).toEqual([{ id }])
  })

  test.for(['running', 'done', 'failed', 'cancelled', 'gone'] as const)(
    'does not take a task that is %s',
    async (state, { engine }) => {
      const { id } = await engine.inState(state)
      await engine.pass('1 hour', id)

      expect(await engine.claim('mail', { limit: 10 })).toEqual([])
    },
  )

  test.for([
    ['no queue', `''`, 'claim needs the name of one queue'],
    ['all queues', `'*'`, 'claim needs the name of one queue'],
    ['fewer than none', `'mail', -1`, 'the limit of a claim cannot be -1'],
    ['a lease that is over', `'mail', 1, 'w', '0 seconds'`, 'a lease cannot last'],
    ['handlers without versions', `'mail', p_handlers => '{a}'`, 'first and the last version'],
  ] as const)('refuses %s', async ([, args, message], { engine }) => {
    await expect(engine.rows(`select * from claim(${args})`)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    })
  })
})

describe('a hint', () => {
  test('may lie before Christ, where a task was due', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', runAt: new Date('-000043-03-15') })
    const common = { limit: 1, worker: 'w', leaseMs: 15_000, kinds: ['handler'] }
    const any = { handlers: ['mail'], versionsFrom: [0], versionsTo: [1] }
    const hints = [{ priority: 0, from: new Date('-000044-03-15') }]
    const queues = [{ queue: 'mail', hints }]

    expect(await engine.claimBatch({ ...common, ...any, queues })).toMatchObject([{ id }])
  })
})

describe('the claim of a worker that sleeps', () => {
  const ask = { limit: 10, worker: 'w', leaseMs: 15_000, kinds: ['handler'] }
  const able = { handlers: ['mail'], versionsFrom: [0], versionsTo: [1] }
  const queues = [{ queue: 'mail', hints: [] }]

  test('tells when the next task becomes due, as it is after the claim', async ({ engine }) => {
    const dues: (number | null)[] = []
    const onDue = (ms: number | null) => void dues.push(ms)
    const claim = () => engine.claimBatch({ ...ask, ...able, queues, onDue })

    expect(await claim()).toEqual([])
    const { id } = await engine.enqueue({ queue: 'mail' })
    await engine.enqueue({ queue: 'mail', runAt: new Date(Date.now() + 3_600_000) })
    expect(await claim()).toMatchObject([{ id, size: 1 }])
    expect(await claim()).toEqual([])

    expect(dues).toEqual([null, expect.any(Number), expect.any(Number)])
    expect(dues[1]).toBeGreaterThan(3_000_000)
  })

  test('tells it once for many tasks, and unpacks those of packs', async ({ engine }) => {
    const dues: (number | null)[] = []
    await engine.enqueueMany(Array.from({ length: 5 }, (_, n) => ({ queue: 'mail', payload: n })))

    const onDue = (ms: number | null) => void dues.push(ms)
    const rows = await engine.claimBatch({ ...ask, ...able, queues, onDue })

    expect(rows.map(({ payload }) => payload)).toEqual([0, 1, 2, 3, 4])
    expect(dues).toEqual([null])
  })
})
