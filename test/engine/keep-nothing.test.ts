import { describe, expect } from 'vitest'
import type { ClaimedTask } from '../../src/engine/task.ts'
import { faultsIn } from '../support/books.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const endings: Record<string, (engine: TestEngine, task: ClaimedTask) => Promise<unknown>> = {
  complete: (engine, task) => engine.complete(task),
  'complete_many of one': (engine, task) => engine.completeMany([task]),
  'complete_many of two': async (engine, task) =>
    engine.completeMany([task, await engine.running({ queue: 'mail' })]),
  kill: (engine, task) => engine.kill(task),
  fail: (engine, task) => engine.fail(task, { message: 'no' }, { retry: false }),
  cancel: (engine, task) => engine.cancel(task.id),
}
const names = Object.keys(endings)

/** A task that was tried before, runs, and wrote a line. */
async function tried(engine: TestEngine, task: object): Promise<ClaimedTask> {
  const first = await engine.running({ queue: 'mail', key: 'k', ...task })
  await engine.reject(first, { message: 'not yet' }, '0')
  const [second] = await engine.claim('mail')
  if (second === undefined) throw new Error('it should be due')
  await engine.rows(
    `select log(array[$1::bigint], array[$2::bigint], '{info}', '{"here I am"}')`,
    second.id,
    second.claim,
  )
  return second
}

describe('a queue that keeps nothing', () => {
  test.for(names)('also forgets attempts, lines and keys: %s', async (name, { engine }) => {
    await engine.setQueue('mail', {
      keeps_keys: true,
      keep_done: '0',
      keep_failed: '0',
      keep_cancelled: '0',
    })
    const task = await tried(engine, {})

    await endings[name]?.(engine, task)

    expect(await engine.task(task.id)).toBeNull()
    expect(await engine.rows('select from attempts')).toEqual([])
    expect(await engine.rows('select from logs')).toEqual([])
    expect(await faultsIn(engine)).toEqual([])
    expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toMatchObject({ outcome: 'created' })
  })
})

describe('a task that is not to be kept', () => {
  test.for(names)('gives back its key, and others keep theirs: %s', async (name, { engine }) => {
    await engine.setQueue('mail', { keeps_keys: true })
    const other = await engine.running({ queue: 'mail', key: 'other' })
    await engine.complete(other)

    await endings[name]?.(engine, await tried(engine, { retention: '0' }))

    expect(await faultsIn(engine)).toEqual([])
    expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toMatchObject({ outcome: 'created' })
    expect(await engine.enqueue({ queue: 'mail', key: 'other' })).toEqual({
      id: other.id,
      outcome: 'kept',
    })
  })

  test('leaves its key throttled as long as its window lasts', async ({ engine }) => {
    await engine.setQueue('mail', { keeps_keys: true, keep_done: '0' })
    const throttled = {
      queue: 'mail',
      key: 'k',
      onDuplicate: 'throttle',
      window: '1 hour',
    } as const
    for (const end of [endings['complete'], endings['complete_many of one']]) {
      await end?.(engine, await engine.running(throttled))
      expect(await engine.enqueue(throttled)).toMatchObject({ outcome: 'throttled' })
      await engine.pass('2 hours')
    }

    expect(await engine.enqueue(throttled)).toMatchObject({ outcome: 'created' })
  })
})
