import { describe, expect } from 'vitest'
import type { Backoff } from '../../src/engine/task.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** The delays after so many failed attempts, in seconds. */
async function delays(engine: TestEngine, backoff: Backoff, attempts: number[]): Promise<number[]> {
  const rows = await engine.rows<{ seconds: number }>(
    `select extract(epoch from backoff_delay($1, attempt))::float as seconds
     from unnest($2::integer[]) with ordinality as given (attempt, place) order by place`,
    JSON.stringify(backoff),
    attempts,
  )
  return rows.map(({ seconds }) => seconds)
}

const exponential: Backoff = { kind: 'exponential', base: '1 second', cap: '1 hour' }

describe('backoff', () => {
  test('of none waits for nothing', async ({ engine }) => {
    expect(await delays(engine, { kind: 'none' }, [1, 2, 99])).toEqual([0, 0, 0])
  })

  test('of fixed waits the same each time', async ({ engine }) => {
    expect(await delays(engine, { kind: 'fixed', base: '30 seconds' }, [1, 2, 99])).toEqual([
      30, 30, 30,
    ])
  })

  test('of exponential doubles, and stops at its cap', async ({ engine }) => {
    expect(await delays(engine, exponential, [1, 2, 3, 11, 12, 31, 1_000])).toEqual([
      2, 4, 8, 2048, 3600, 3600, 3600,
    ])
  })

  test('never overflows, however long its base', async ({ engine }) => {
    const slow: Backoff = { kind: 'exponential', base: '30 days', cap: '60 days' }

    expect(await delays(engine, slow, [1, 40, 2_000_000_000])).toEqual([
      ...[5_184_000, 5_184_000, 5_184_000],
    ])
  })

  test('spreads by its jitter and never beyond', async ({ engine }) => {
    const attempts = Array.from({ length: 200 }, () => 3)

    const spread = await delays(engine, { ...exponential, jitter: 0.2 }, attempts)

    expect(Math.min(...spread)).toBeGreaterThanOrEqual(8 * 0.8)
    expect(Math.max(...spread)).toBeLessThanOrEqual(8 * 1.2)
    expect(new Set(spread).size).toBeGreaterThan(100)
  })

  test('is exact without jitter', async ({ engine }) => {
    const attempts = Array.from({ length: 20 }, () => 3)

    expect(new Set(await delays(engine, exponential, attempts))).toEqual(new Set([8]))
  })

  test('is the task’s own, else its queue’s, else that of all', async ({ engine }) => {
    await engine.setQueue('mail', { backoff: { kind: 'fixed', base: '1 hour' } })
    const own = await engine.running({ backoff: { kind: 'fixed', base: '1 day' } })
    const ofQueue = await engine.running()
    const ofAll = await engine.running({ queue: 'post' })
    for (const task of [own, ofQueue, ofAll]) await engine.fail(task)

    await engine.pass('3 seconds')
    expect(await engine.claim('post')).toMatchObject([{ id: ofAll.id }])
    await engine.pass('1 hour')
    expect(await engine.claim('mail', { limit: 5 })).toMatchObject([{ id: ofQueue.id }])
    await engine.pass('23 hours')
    expect(await engine.claim('mail', { limit: 5 })).toMatchObject([{ id: own.id }])
  })

  test('grows from attempt to attempt', async ({ engine }) => {
    await engine.fail(await engine.running())
    await engine.pass('2 seconds')

    await engine.fail(await engine.claimOne('mail'))

    await engine.pass('3 seconds')
    expect(await engine.claim('mail')).toEqual([])
    await engine.pass('1 second')
    expect(await engine.claim('mail')).toHaveLength(1)
  })

  test('of never ends a task at its first error, but not when its worker was lost', async ({
    engine,
  }) => {
    const task = await engine.running({ backoff: { kind: 'never' } })
    await engine.pass('1 minute', task.id)
    await engine.rescue()
    expect(await engine.task(task.id)).toMatchObject({ state: 'ready', attempt: 1 })

    await engine.fail(await engine.claimOne('mail'))

    expect(await engine.task(task.id)).toMatchObject({ state: 'failed', attempt: 2 })
  })

  test.for([
    ['a kind it does not know', { kind: 'magic' }, 'kind magic is unknown'],
    ['no kind', {}, 'kind null is unknown'],
    ['an option it does not know', { kind: 'none', max: 1 }, 'no option max'],
    ['a negative base', { kind: 'fixed', base: '-1 second' }, 'must not be negative'],
    ['a base that is not a time', { kind: 'fixed', base: 'soon' }, 'soon'],
    ['too much jitter', { kind: 'fixed', base: '1 second', jitter: 2 }, 'between 0 and 1'],
    ['no object', 'none', 'must be an object'],
  ] as const)('refuses %s', async ([, backoff, message], { engine }) => {
    const call = engine.rows(
      `select enqueue('mail', p_backoff => $1::jsonb)`,
      JSON.stringify(backoff),
    )

    await expect(call).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    })
  })
})
