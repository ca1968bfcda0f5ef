import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('kill', () => {
  test('fails a running task for good, whatever attempts are left', async ({ engine }) => {
    const task = await engine.running({ maxAttempts: 9 })

    await engine.kill(task, { message: 'nonsense' })

    expect(await engine.task(task.id)).toMatchObject({
      state: 'failed',
      reason: 'killed',
      attempt: 1,
      error: { message: 'nonsense' },
    })
    expect(await engine.rows('select reason from attempt')).toEqual([{ reason: 'killed' }])
  })

  test.for(['queued', 'done', 'failed', 'cancelled'] as const)(
    'refuses a task that is %s',
    async (state, { engine }) => {
      const task = await engine.inState(state)
      const before = await engine.task(task.id)

      await expect(engine.kill(task)).rejects.toMatchObject({ code: 'lease_lost' })

      expect(await engine.task(task.id)).toEqual(before)
    },
  )

  test('refuses a task that is gone', async ({ engine }) => {
    const task = await engine.inState('gone')

    await expect(engine.kill(task)).rejects.toMatchObject({ code: 'task_not_found' })
  })
})
