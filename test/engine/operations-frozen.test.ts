import { describe, expect } from 'vitest'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const pages = (engine: TestEngine) =>
  engine.value<number>('select count(*)::integer from operation_pages')

describe('an operation on a state that changes by itself', () => {
  test('acts on all 10,000 blocked tasks, though they are ready after the first page', {
    timeout: 120_000,
  }, async ({ engine }) => {
    await engine.rows(`select set_queue('mail', '{}'), pause('mail')`)
    for (const _ of range(4)) {
      await engine.enqueueMany(range(2_500).map(() => ({ queue: 'mail' })))
    }
    const filter = { queue: 'mail', states: ['blocked'] }
    const id = await engine.startOperation('cancel', filter)
    expect(await engine.operation(id)).toMatchObject({ total: 10_000, matched: 0 })

    let flips = 0
    for (;;) {
      const operation = await engine.advanceOperation(id, 500)
      if (operation.state !== 'running') break
      expect(operation.progress).toBeCloseTo(operation.matched / 10_000)
      await engine.rows(flips++ % 2 === 0 ? `select resume('mail')` : `select pause('mail')`)
    }

    expect(flips).toBeGreaterThan(10)
    expect(await engine.operation(id)).toMatchObject({
      state: 'done',
      total: 10_000,
      matched: 10_000,
      done: 10_000,
      refused: 0,
      error: null,
    })
    expect(await engine.rows('select count(*)::integer from tasks')).toEqual([{ count: 0 }])
    expect(await pages(engine)).toBe(0)
  })

  test('means ready tasks that a full queue blocks meanwhile, and no task that became ready', async ({
    engine,
  }) => {
    await engine.enqueueMany(range(20).map(() => ({ queue: 'mail' })))
    const later = await engine.enqueue({ queue: 'mail', runAt: new Date(Date.now() + 3_600_000) })
    const id = await engine.startOperation('move', { states: ['ready'] }, { run_at: '2100-01-01' })
    await engine.pass('2 hours')
    await engine.rows(`select set_queue('mail', '{"max_running": 0}')`)

    await engine.advanceOperation(id, 7)
    await engine.advanceOperation(id, 7)
    const last = await engine.advanceOperation(id, 7)

    expect(last).toMatchObject({ state: 'done', total: 20, matched: 20, done: 20 })
    expect(await engine.rows(`select id from task where run_at < '2099-01-01'`)).toEqual([
      { id: later.id },
    ])
  })

  test('leaves tasks alone that started or ended since, and counts them as refused', async ({
    engine,
  }) => {
    await engine.enqueueMany(range(5).map(() => ({ queue: 'mail' })))
    const id = await engine.startOperation('cancel', { states: ['ready'] })
    const running = await engine.claimOne('mail')
    const done = await engine.claimOne('mail')
    await engine.complete(done)

    const operation = await engine.advanceOperation(id)

    expect(operation).toMatchObject({ state: 'done', total: 5, matched: 5, done: 3, refused: 2 })
    expect(operation.error).toMatch(/^task \d+ has started, ended or changed/)
    expect(await engine.rows('select id, state from task where state <> $1', 'cancelled')).toEqual(
      expect.arrayContaining([
        { id: running.id, state: 'running' },
        { id: done.id, state: 'done' },
      ]),
    )
  })

  test('cancels those that ran when it began, and none that started since', async ({ engine }) => {
    await engine.enqueueMany(range(3).map(() => ({ queue: 'mail' })))
    const first = await engine.claimOne('mail')
    const id = await engine.startOperation('cancel', { states: ['running'] })
    const second = await engine.claimOne('mail')

    expect(await engine.advanceOperation(id)).toMatchObject({ total: 1, done: 1 })

    expect(await engine.rows('select id, state from task order by id')).toEqual([
      { id: first.id, state: 'cancelled' },
      { id: second.id, state: 'running' },
      { id: expect.any(String), state: 'ready' },
    ])
  })

  test('forgets its set when it is cancelled', async ({ engine }) => {
    await engine.enqueueMany(range(30).map(() => ({ queue: 'mail' })))
    const id = await engine.startOperation('cancel', { states: ['ready', 'blocked'] })
    await engine.advanceOperation(id, 10)
    expect(await pages(engine)).toBe(1)

    await engine.cancelOperation(id)

    expect(await pages(engine)).toBe(0)
    expect(await engine.operation(id)).toMatchObject({ state: 'cancelled', done: 10, total: 30 })
  })

  test.for([
    [['failed']],
    [['failed', 'cancelled', 'done']],
    [['scheduled', 'retrying', 'blocked', 'ready']],
    [['scheduled', 'retrying', 'blocked', 'ready', 'running']],
  ])('needs no set for %s: a verb must write these', async ([states], { engine }) => {
    await engine.enqueue({ queue: 'mail' })

    const id = await engine.startOperation('delete', { states: states ?? [] })

    expect(await engine.operation(id)).toMatchObject({ total: null })
    expect(await pages(engine)).toBe(0)
  })
})
