import { describe, expect } from 'vitest'
import type { Enqueued, OnDuplicate } from '../../src/engine/task.ts'
import { census, faultsIn } from '../support/books.ts'
import { all, crowd, member, range, waitsForLock } from '../support/crowd.ts'
import { test } from '../support/engine.ts'

const outcomes = (answers: readonly Enqueued[]) => answers.map(({ outcome }) => outcome).sort()

describe('twenty producers with one key', () => {
  const modes: Record<OnDuplicate, string> = {
    keep: 'kept',
    replace: 'replaced',
    debounce: 'debounced',
    throttle: 'throttled',
  }

  for (const [mode, outcome] of Object.entries(modes)) {
    test(`create exactly one task (${mode})`, async ({ engine, connect }) => {
      const producers = await crowd(engine, connect, 20)

      const answers = await all(producers, (producer, payload) =>
        producer.enqueue({
          queue: 'mail',
          key: 'k',
          payload,
          onDuplicate: mode as OnDuplicate,
          ...((mode === 'debounce' || mode === 'throttle') && { window: '1 minute' }),
        }),
      )

      expect(outcomes(answers)).toEqual(['created', ...Array(19).fill(outcome)])
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
      expect(await census(engine)).toEqual({ queued: 1 })
    })
  }

  test('create one each time while workers end it as fast as they can', async ({
    engine,
    connect,
  }) => {
    const producers = await crowd(engine, connect, 10)
    const workers = await crowd(engine, connect, 4)
    const handed: string[] = []
    const production = new AbortController()

    const working = all(workers, async (worker) => {
      while (
        !production.signal.aborted ||
        (await worker.value('select exists (select from tasks)'))
      ) {
        const tasks = await worker.claim('mail', { limit: 5 })
        handed.push(...tasks.map(({ id }) => id))
        await worker.completeMany(tasks)
      }
    })
    const answers = (
      await all(producers, async (producer, index) => {
        const mine: Enqueued[] = []
        const onDuplicate = index % 2 === 0 ? 'keep' : 'replace'
        for (const _ of range(40))
          mine.push(await producer.enqueue({ queue: 'mail', key: 'k', onDuplicate }))
        return mine
      })
    ).flat()
    production.abort()
    await working

    const created = answers.filter(({ outcome }) => outcome === 'created').map(({ id }) => id)
    expect(answers).toHaveLength(400)
    expect(new Set(created).size).toBe(created.length)
    expect(handed).toHaveLength(created.length)
    expect(new Set(handed)).toEqual(new Set(created))
    // A caller that created nothing learned of a task that another had created.
    expect(answers.every(({ id }) => created.includes(id))).toBe(true)
    expect(await faultsIn(engine)).toEqual([])
    expect(await engine.rows('select from keys')).toEqual([])
  })
})

describe('a producer whose duplicate ends between the look and the answer', () => {
  test('creates its own task', async ({ engine, connect }) => {
    const task = await engine.running({ key: 'k' })
    const worker = await member(engine, connect)
    const producer = await member(engine, connect)

    await worker.rows('begin')
    await worker.complete(task)
    const answer = producer.enqueue({ queue: 'mail', key: 'k' })
    await waitsForLock(engine, producer)
    await worker.rows('commit')

    expect(await answer).toMatchObject({ outcome: 'created' })
    expect(await census(engine)).toEqual({ done: 1, queued: 1 })
  })

  test('keeps to the task there when its end is rolled back', async ({ engine, connect }) => {
    const task = await engine.running({ key: 'k' })
    const worker = await member(engine, connect)
    const producer = await member(engine, connect)

    await worker.rows('begin')
    await worker.complete(task)
    const answer = producer.enqueue({ queue: 'mail', key: 'k' })
    await waitsForLock(engine, producer)
    await worker.rows('rollback')

    expect(await answer).toEqual({ id: task.id, outcome: 'kept' })
  })

  test('creates its own when the first producer rolls back', async ({ engine, connect }) => {
    const first = await member(engine, connect)
    const second = await member(engine, connect)

    await first.rows('begin')
    await first.enqueue({ queue: 'mail', key: 'k' })
    const answer = second.enqueue({ queue: 'mail', key: 'k' })
    await waitsForLock(engine, second)
    await first.rows('rollback')

    expect(await answer).toMatchObject({ outcome: 'created' })
    expect(await census(engine)).toEqual({ queued: 1 })
  })
})

describe('a bulk', () => {
  test('with one key several times creates one and answers in order', async ({ engine }) => {
    const answers = await engine.enqueueMany([
      { queue: 'mail', key: 'a', payload: 1 },
      { queue: 'mail', key: 'b' },
      { queue: 'mail', key: 'a', payload: 2, onDuplicate: 'replace' },
      { queue: 'mail' },
      { queue: 'mail', key: 'a', payload: 3 },
    ])

    expect(answers.map(({ outcome }) => outcome)).toEqual([
      'created',
      'created',
      'replaced',
      'created',
      'kept',
    ])
    expect(answers[2]?.id).toBe(answers[0]?.id)
    expect(await engine.task(answers[0]?.id ?? '')).toMatchObject({ payload: 2 })
    expect(await census(engine)).toEqual({ queued: 3 })
  })

  for (const onDuplicate of ['keep', 'replace'] as const) {
    test(`never deadlocks with one of the same keys in another order (${onDuplicate})`, async ({
      engine,
      connect,
    }) => {
      const keys = range(30).map((index) => `k${index}`)
      const producers = await crowd(engine, connect, 8)

      const answers = await all(producers, async (producer, index) => {
        const mine: Enqueued[] = []
        for (const round of range(8)) {
          const order = index % 2 === round % 2 ? keys : keys.toReversed()
          mine.push(
            ...(await producer.enqueueMany(
              order.map((key) => ({ queue: 'mail', key, onDuplicate })),
            )),
          )
        }
        return mine
      })

      expect(answers.flat().filter(({ outcome }) => outcome === 'created')).toHaveLength(30)
      expect(await faultsIn(engine)).toEqual([])
    })
  }

  test('never deadlocks with the cancellation of what it replaces', async ({ engine, connect }) => {
    const keys = range(20).map((index) => `k${index}`)
    const made = await engine.enqueueMany(keys.map((key) => ({ queue: 'mail', key })))
    const members = await crowd(engine, connect, 8)

    await all(members, async (one, index) => {
      for (const _ of range(10)) {
        if (index % 4 === 0)
          await one.rows(
            'select cancel_many($1)',
            made.map(({ id }) => id),
          )
        else {
          await one.enqueueMany(
            keys.toReversed().map((key) => ({ queue: 'mail', key, onDuplicate: 'replace' })),
          )
        }
      }
    })

    expect(await faultsIn(engine)).toEqual([])
    await engine.enqueueMany(keys.map((key) => ({ queue: 'mail', key })))
    expect((await census(engine))['queued']).toBe(20)
  })
})

describe('retry', () => {
  test('never takes the key of a task enqueued at the same moment', async ({ engine, connect }) => {
    const task = await engine.running({ key: 'k' })
    await engine.kill(task)
    const producer = await member(engine, connect)
    const operator = await member(engine, connect)

    await producer.rows('begin')
    const { id } = await producer.enqueue({ queue: 'mail', key: 'k' })
    const retried = operator.retry(task.id).catch((error: unknown) => error)
    await waitsForLock(engine, operator)
    await producer.rows('commit')

    expect(await retried).toMatchObject({ code: 'key_taken' })
    expect(await engine.rows('select task from keys')).toEqual([{ task: id }])
    expect(await faultsIn(engine)).toEqual([])
  })
})
