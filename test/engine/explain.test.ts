import { describe, expect } from 'vitest'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import { serveQueue as serve } from '../support/serve-queue.ts'
import type { TestEngine } from '../support/test-engine.ts'

interface Reason {
  readonly code: string
  readonly message: string
  readonly hint: string | null
  readonly data: Record<string, unknown>
}

const explain = (engine: TestEngine, id: string) =>
  engine.rows<Reason>('select * from explain($1)', id)

const codes = async (engine: TestEngine, id: string) =>
  (await explain(engine, id)).map(({ code }) => code)

describe('explain', () => {
  test('says that no worker serves the queue, until one does', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    await serve(engine, { id: 'other', queue: 'post' })

    expect(await explain(engine, id)).toEqual([
      {
        code: 'no_worker',
        message: 'no worker serves queue mail',
        hint: expect.any(String),
        data: { queue: 'mail' },
      },
    ])

    await serve(engine)
    expect(await codes(engine, id)).toEqual(['next'])
    await engine.rows(`select drain_worker('w')`)
    expect(await codes(engine, id)).toEqual(['no_worker'])
    await serve(engine)
    await engine.rows(`update workers set beat_at = beat_at - interval '61 seconds'`)
    expect(await codes(engine, id)).toEqual(['no_worker'])
  })

  test('counts an unregistered consumer that holds a claim of the queue', async ({ engine }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    const held = await engine.claimOne('mail', { worker: 'python' })
    const id = await engine.value<string>('select id from task where state = $1', 'ready')

    expect(await codes(engine, id)).toEqual(['next'])
    await engine.complete(held)
    expect(await codes(engine, id)).toEqual(['no_worker'])
  })

  test('says which handler, which version or which kind no worker has', async ({ engine }) => {
    const handler = await engine.enqueue({ queue: 'mail', handler: 'welcome' })
    const version = await engine.enqueue({ queue: 'mail', version: 3 })
    const sql = await engine.enqueue({ queue: 'mail', kind: 'sql', payload: { sql: 'select 1' } })
    await serve(engine, { from: [1], to: [2] })

    expect(await explain(engine, handler.id)).toMatchObject([
      {
        code: 'no_handler',
        message: 'no worker of queue mail has the handler welcome',
        data: { queue: 'mail', handler: 'welcome', workers: 1 },
      },
    ])
    expect(await explain(engine, version.id)).toMatchObject([
      {
        code: 'no_version',
        message: 'no worker of queue mail takes version 3 of handler mail (they take 1–2)',
        data: { handler: 'mail', version: 3, versions: '1–2' },
      },
    ])
    expect(await explain(engine, sql.id)).toMatchObject([
      { code: 'no_runner', data: { kind: 'sql' } },
    ])

    await serve(engine, { id: 'any', handlers: null, kinds: ['handler', 'sql'] })
    for (const { id } of [handler, version, sql]) {
      expect(await codes(engine, id)).not.toContain(expect.stringMatching(/^no_/))
    }
  })

  test('says that queue and groups are paused', async ({ engine }) => {
    await serve(engine)
    const { id } = await engine.enqueue({ queue: 'mail', groups: ['customer 7'] })
    await engine.rows(`select pause('mail'), pause_group('customer 7')`)

    expect(await explain(engine, id)).toMatchObject([
      { code: 'queue_paused', data: { queue: 'mail', since: expect.any(String) } },
      {
        code: 'group_paused',
        hint: `Resume it: tusk group resume 'customer 7'`,
        data: { group: 'customer 7' },
      },
    ])
  })

  test('says that a group is full, by its own limit, the task’s and the queue’s', async ({
    engine,
  }) => {
    await serve(engine, { slots: 9 })
    await engine.rows(`select set_group('customer 7', '{"max_running": 2}')`)
    await engine.enqueueMany(range(4).map(() => ({ queue: 'mail', groups: ['customer 7'] })))
    await engine.claim('mail', { limit: 4 })
    const [last] = await engine.rows<{ id: string }>(
      `select id from task where state = 'blocked' order by id desc limit 1`,
    )

    expect(await explain(engine, last?.id ?? '')).toMatchObject([
      {
        code: 'group_full',
        message: 'group customer 7 is full (2 of 2)',
        data: { group: 'customer 7', running: 2, max_running: 2 },
      },
      { code: 'behind', message: 'behind 1 other of group customer 7' },
    ])

    const roomy = await engine.enqueue({ queue: 'mail', groups: ['customer 7'], maxRunning: 3 })
    expect(await codes(engine, roomy.id)).not.toContain('group_full')
    await engine.rows(`select set_queue('post', '{"group_max_running": 1}')`)
    await serve(engine, { id: 'p', queue: 'post', handlers: null })
    await engine.enqueueMany(range(2).map(() => ({ queue: 'post', groups: ['g'] })))
    await engine.claim('post', { limit: 2 })
    const [held] = await engine.rows<{ id: string }>(
      `select id from task where state = 'blocked' and queue = 'post'`,
    )
    expect((await explain(engine, held?.id ?? ''))[0]).toMatchObject({ code: 'group_full' })
  })

  test('says that a queue is full, or rate limited until when', async ({ engine }) => {
    await serve(engine, { slots: 9 })
    await engine.rows(`select set_queue('mail', '{"max_running": 1}')`)
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    const held = await engine.claimOne('mail')
    const id = await engine.value<string>(`select id from task where state = 'blocked'`)
    expect(await explain(engine, id)).toMatchObject([
      { code: 'queue_full', message: 'queue mail is full (1 of 1)' },
    ])

    await engine.complete(held)
    await engine.rows(
      `select set_queue('mail', '{"max_running": null, "rate": 1, "rate_window": "1 hour"}')`,
    )
    await engine.enqueue({ queue: 'mail' })
    await engine.claimOne('mail')
    const waits = await engine.value<string>(`select id from tasks where claim is null`)
    expect(await explain(engine, waits)).toMatchObject([
      {
        code: 'queue_rate_limited',
        message: expect.stringMatching(/^queue mail is rate limited until \d{4}-.*Z$/),
        data: { queue: 'mail', until: expect.any(String) },
      },
    ])
    await engine.pass('2 hours')
    await serve(engine, { slots: 9 })
    expect(await codes(engine, waits)).toEqual(['next'])
  })

  test('says that a group’s gap allows the next start only later', async ({ engine }) => {
    await serve(engine, { slots: 9 })
    await engine.rows(`select set_group('g', '{"gap": "1 hour"}')`)
    await engine.enqueueMany(range(3).map(() => ({ queue: 'mail', groups: ['g'] })))
    await engine.claim('mail', { limit: 3 })

    const waiting = await engine.rows<{ id: string }>('select id from tasks where claim is null')
    expect(waiting).toHaveLength(2)
    for (const { id } of waiting) {
      expect((await explain(engine, id))[0]).toMatchObject({
        code: 'group_rate_limited',
        data: { group: 'g' },
      })
    }
  })

  test('says when a task is due, and which attempt failed', async ({ engine }) => {
    await serve(engine)
    const runAt = new Date('2100-01-01T09:00:00Z')
    const later = await engine.enqueue({ queue: 'mail', runAt })
    expect(await explain(engine, later.id)).toMatchObject([
      { code: 'not_due', message: 'not due until 2100-01-01T09:00:00Z' },
    ])

    const failing = await engine.running({ maxAttempts: 3 })
    await engine.fail(failing, { message: 'no' }, { delay: '1 hour' })
    expect(await explain(engine, failing.id)).toMatchObject([
      {
        code: 'retrying',
        message: expect.stringMatching(/^attempt 1 of 3 failed; next try at \d{4}-/),
        data: { attempt: 1, max_attempts: 3 },
      },
    ])
  })

  test('says that the deadline has passed', async ({ engine }) => {
    await serve(engine)
    const { id } = await engine.enqueue({ queue: 'mail', deadline: new Date(Date.now() + 60_000) })
    await engine.pass('2 minutes')
    await serve(engine)

    expect(await codes(engine, id)).toContain('deadline_passed')
  })

  test('counts the tasks ahead by priority, time and arrival, and the places in a pack', async ({
    engine,
  }) => {
    await serve(engine, { slots: 9 })
    await engine.enqueue({ queue: 'mail', priority: 5 })
    await engine.enqueue({ queue: 'mail', priority: 5, runAt: new Date('2100-01-01') })
    await engine.enqueue({ queue: 'mail', handler: 'no worker has it' })
    await engine.enqueueMany(range(10).map((n) => ({ queue: 'mail', payload: { n } })))
    const packs = await engine.value<number>('select count(*)::integer from tasks where size = 10')
    const ids = await engine.rows<{ id: string }>(
      `select id from task where priority = 0 and handler = 'mail' order by id`,
    )

    expect(await explain(engine, ids[0]?.id ?? '')).toMatchObject([
      { code: 'behind', message: 'behind 1 other', data: { count: 1, at_least: false } },
    ])
    expect(await explain(engine, ids[9]?.id ?? '')).toMatchObject([
      { code: 'behind', message: 'behind 10 others', data: { count: 10, at_least: false } },
    ])
    // Explaining has not split the pack.
    expect(packs).toBe(1)
    expect(await engine.value('select count(*)::integer from tasks where size = 10')).toBe(1)
  })

  test('stops counting at 10,000', async ({ engine }) => {
    await serve(engine)
    await engine.rows(`select set_queue('mail', '{"packs": false}')`)
    for (const _ of range(3)) await engine.enqueueMany(range(4_000).map(() => ({ queue: 'mail' })))
    const id = await engine.value<string>('select max(id) from tasks')

    expect(await explain(engine, id)).toMatchObject([
      { code: 'behind', message: 'behind 10,000+ others', data: { count: 10_000, at_least: true } },
    ])
  })

  test('says that all slots are busy', async ({ engine }) => {
    await serve(engine, { slots: 1 })
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    await engine.claimOne('mail', { worker: 'w' })
    const id = await engine.value<string>(`select id from task where state = 'ready'`)

    expect(await explain(engine, id)).toMatchObject([
      { code: 'workers_busy', data: { workers: 1, slots: 1, tasks: 1 } },
    ])
  })

  test('counts the line of its own group in a fair queue', async ({ engine }) => {
    await serve(engine)
    await engine.rows(`select set_queue('mail', '{"is_fair": true}')`)
    await engine.enqueueMany([
      ...range(3).map(() => ({ queue: 'mail', groups: ['a'] })),
      { queue: 'mail', groups: ['b'] },
    ])
    const ids = await engine.rows<{ id: string }>('select id from tasks order by id')

    expect(await explain(engine, ids[2]?.id ?? '')).toMatchObject([
      { code: 'behind', message: 'behind 2 others of group a', data: { count: 2, group: 'a' } },
    ])
    expect(await codes(engine, ids[3]?.id ?? '')).toEqual(['next'])
  })

  test('has nothing to say of tasks that run or have ended, and refuses unknown ones', async ({
    engine,
  }) => {
    const { id } = await engine.inState('running')
    const done = await engine.inState('done')

    expect(await explain(engine, id)).toEqual([])
    expect(await explain(engine, done.id)).toEqual([])
    await expect(explain(engine, '404')).rejects.toThrow('there is no task 404')
  })
})
