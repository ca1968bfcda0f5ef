import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('reject', () => {
  test('hands the task back and charges the attempt', async ({ engine }) => {
    const task = await engine.running()

    const answer = await engine.reject(task, { message: 'not now' })

    expect(answer).toMatchObject({ state: 'queued', run_at: expect.any(Date) })
    expect(await engine.task(task.id)).toMatchObject({ state: 'retrying', attempt: 1, claim: null })
    expect(await engine.rows('select reason, error from attempt')).toEqual([
      { reason: 'rejected', error: { message: 'not now' } },
    ])
  })

  test('says when the task may be tried again', async ({ engine }) => {
    const task = await engine.running()

    await engine.reject(task, null, '10 minutes')

    await engine.pass('9 minutes', task.id)
    expect(await engine.claim('mail')).toEqual([])
    await engine.pass('1 minute', task.id)
    expect(await engine.claimOne('mail')).toMatchObject({ id: task.id, attempt: 2 })
  })

  test('fails the task with its last attempt', async ({ engine }) => {
    const task = await engine.running({ maxAttempts: 1 })

    expect(await engine.reject(task)).toEqual({ state: 'failed', run_at: null })

    expect(await engine.task(task.id)).toMatchObject({ state: 'failed', reason: 'rejected' })
  })

  test.for(['queued', 'done', 'failed', 'cancelled'] as const)(
    'refuses a task that is %s',
    async (state, { engine }) => {
      const task = await engine.inState(state)
      const before = await engine.task(task.id)

      await expect(engine.reject(task)).rejects.toMatchObject({ code: 'lease_lost' })

      expect(await engine.task(task.id)).toEqual(before)
    },
  )

  test('refuses a task that is gone', async ({ engine }) => {
    const task = await engine.inState('gone')

    await expect(engine.reject(task)).rejects.toMatchObject({ code: 'task_not_found' })
  })
})
