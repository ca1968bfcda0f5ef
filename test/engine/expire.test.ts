import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const inAMinute = () => new Date(Date.now() + 60_000)

describe('expire', () => {
  test('fails a queued task that is past its deadline', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', deadline: inAMinute() })
    await engine.pass('61 seconds', id)

    expect(await engine.expire()).toEqual([id])

    expect(await engine.task(id)).toMatchObject({
      state: 'failed',
      reason: 'expired',
      attempt: 0,
      started_at: null,
      worker: null,
      error: { code: 'expired' },
    })
  })

  test('gives its key back', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', key: 'ada', deadline: inAMinute() })
    await engine.pass('61 seconds', id)
    await engine.expire()

    const next = await engine.enqueue({ queue: 'mail', key: 'ada' })

    expect(next.outcome).toBe('created')
  })

  test('expires a task that waits for another attempt', async ({ engine }) => {
    const task = await engine.running({ deadline: inAMinute() })
    await engine.fail(task, { message: 'first' }, { delay: '1 hour' })
    await engine.pass('61 seconds', task.id)

    await engine.expire()

    expect(await engine.task(task.id)).toMatchObject({ state: 'failed', reason: 'expired' })
  })

  test('leaves a task whose deadline is still to come', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', deadline: inAMinute() })
    await engine.enqueue({ queue: 'mail' })

    expect(await engine.expire()).toEqual([])

    expect(await engine.task(id)).toMatchObject({ state: 'ready' })
  })

  test('leaves a task that already runs', async ({ engine }) => {
    const task = await engine.running({ deadline: inAMinute() })
    await engine.pass('61 seconds', task.id)

    expect(await engine.expire()).toEqual([])

    expect(await engine.task(task.id)).toMatchObject({ state: 'running' })
  })

  test.for(['done', 'failed', 'cancelled'] as const)(
    'leaves a task that is %s',
    async (state, { engine }) => {
      const task = await engine.running({ deadline: inAMinute() })
      if (state === 'done') await engine.complete(task)
      if (state === 'failed') await engine.kill(task)
      if (state === 'cancelled') await engine.cancel(task.id)
      await engine.pass('61 seconds', task.id)

      expect(await engine.expire()).toEqual([])
    },
  )

  test('takes as many as it is asked for, the longest overdue first', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', deadline: inAMinute() })
    await engine.pass('5 seconds', id)
    await engine.enqueue({ queue: 'mail', deadline: inAMinute() })
    await engine.pass('61 seconds')

    expect(await engine.rows('select expire as id from expire(1)')).toEqual([{ id }])
  })
})
