import { describe, expect } from 'vitest'
import { makeRole, test } from '../support/roles.ts'

describe('handler_stats', () => {
  test('counts what ended by queue and handler, packs by their tasks', async ({ engine }) => {
    await engine.enqueueMany([1, 2, 3].map((n) => ({ queue: 'mail', payload: n })))
    const tasks = await engine.claim('mail', { limit: 3 })
    await engine.completeMany(tasks)
    await engine.fail(await engine.running({ handler: 'letter', maxAttempts: 1 }), { message: 'x' })
    const { id } = await engine.enqueue({ queue: 'other' })
    await engine.cancel(id)

    expect(await engine.rows('select * from handler_stats()')).toMatchObject([
      { queue: 'mail', handler: 'letter', done: '0', failed: '1', attempts: 1 },
      { queue: 'mail', handler: 'mail', done: '3', failed: '0', cancelled: '0' },
      { queue: 'other', handler: 'other', done: '0', cancelled: '1', run_p50: null },
    ])
    expect(await engine.rows(`select handler from handler_stats(p_queue => 'other')`)).toEqual([
      { handler: 'other' },
    ])
  })

  test('tells how long tasks waited and ran, and the mean of their attempts', async ({
    engine,
  }) => {
    const task = await engine.running()
    await engine.complete(task)
    await engine.rows(
      `update finished set run_at = finished_at - interval '5 seconds',
                           started_at = finished_at - interval '2 seconds', attempt = 3`,
    )

    expect(await engine.rows('select * from handler_stats()')).toMatchObject([
      { attempts: 3, wait_p50: 3, wait_p95: 3, run_p50: 2, run_p99: 2 },
    ])
  })

  test('reads no more than it may, the newest first, and says since when', async ({ engine }) => {
    for (const queue of ['old', 'new']) await engine.complete(await engine.running({ queue }))
    const newest = await engine.value(`select finished_at from finished where queue = 'new'`)

    expect(await engine.rows('select queue, since from handler_stats(p_limit => 1)')).toEqual([
      { queue: 'new', since: newest },
    ])
    expect(await engine.rows(`select from handler_stats(now() + interval '1 hour')`)).toEqual([])
  })

  test.for([
    'p_limit => 0',
    'p_limit => 100001',
    'p_limit => null',
    `p_since => null`,
    `p_since => 'infinity'`,
  ])('refuses %s', async (given, { engine }) => {
    await expect(engine.rows(`select * from handler_stats(${given})`)).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })

  test('shows an operator the queues of its own alone', async ({ engine, db, as }) => {
    for (const queue of ['own', 'closed']) await engine.complete(await engine.running({ queue }))
    const operator = await as(await makeRole(db, 'tusk_handlers', 'operator'))
    await engine.rows(`select grant_queue('closed', current_user, '{operate}')`)

    expect(await operator.rows('select queue from handler_stats()')).toEqual([{ queue: 'own' }])
    await expect(
      operator.rows(`select * from handler_stats(p_queue => 'closed')`),
    ).rejects.toMatchObject({ code: 'not_permitted' })
  })
})
