import { describe, expect } from 'vitest'
import { range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import { serveQueue as serve } from '../support/serve-queue.ts'
import type { TestEngine } from '../support/test-engine.ts'

describe('explain_queues', () => {
  const explained = (engine: TestEngine, queues: string[] | null = null) =>
    engine.rows('select queue, code from explain_queues($1)', queues)

  test('names the queues whose first due task cannot start, and why', async ({ engine }) => {
    await serve(engine)
    for (const queue of ['mail', 'post', 'paused']) await engine.enqueue({ queue })
    await engine.enqueue({ queue: 'later', runAt: new Date('2100-01-01') })
    await engine.rows(`select pause('paused')`)

    expect(await explained(engine)).toEqual([
      { queue: 'paused', code: 'queue_paused' },
      { queue: 'paused', code: 'no_worker' },
      { queue: 'post', code: 'no_worker' },
    ])
    expect(await explained(engine, ['post', 'mail'])).toEqual([
      { queue: 'post', code: 'no_worker' },
    ])
  })

  test('looks behind the tasks that run, and at those that are parked', async ({ engine }) => {
    await serve(engine, { slots: 9 })
    await engine.rows(`select set_group('g', '{"max_running": 1}')`)
    await engine.enqueueMany(range(3).map(() => ({ queue: 'mail', groups: ['g'] })))
    await engine.claim('mail', { limit: 3 })

    expect(await explained(engine)).toEqual([{ queue: 'mail', code: 'group_full' }])
  })
})
