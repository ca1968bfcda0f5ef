import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const inAnHour = () => new Date(Date.now() + 3_600_000)

describe('move', () => {
  test('puts a waiting task off', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    const runAt = inAnHour()

    await engine.move(id, runAt)

    expect(await engine.task(id)).toMatchObject({ state: 'scheduled', run_at: runAt })
    expect(await engine.claim('mail')).toEqual([])
  })

  test('brings a scheduled task forward', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', runAt: inAnHour() })

    await engine.move(id, new Date())

    expect(await engine.claimOne('mail')).toMatchObject({ id })
  })

  test('counts no attempt', async ({ engine }) => {
    const task = await engine.running()
    await engine.fail(task)

    await engine.move(task.id, new Date())

    expect(await engine.task(task.id)).toMatchObject({ state: 'ready', attempt: 1, iteration: 0 })
  })

  test.for(['running', 'done', 'failed', 'cancelled'] as const)(
    'refuses a task that is %s',
    async (state, { engine }) => {
      const { id } = await engine.inState(state)
      const before = await engine.task(id)

      await expect(engine.move(id, inAnHour())).rejects.toMatchObject({
        code: 'wrong_state',
        message: `task ${id} is ${state} and cannot be moved`,
      })

      expect(await engine.task(id)).toEqual(before)
    },
  )

  test('refuses a task that is gone', async ({ engine }) => {
    const { id } = await engine.inState('gone')

    await expect(engine.move(id, new Date())).rejects.toMatchObject({ code: 'task_not_found' })
  })

  test.for(['null', `'infinity'`])('refuses %s for a time', async (time, { engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })

    await expect(engine.rows(`select move($1, ${time})`, id)).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.any(String),
    })
  })
})
