import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const inAnHour = () => new Date(Date.now() + 3_600_000)

describe('reschedule', () => {
  test('sends a running task into another round, with all its attempts', async ({ engine }) => {
    const task = await engine.running({ payload: { page: 1 } })
    const runAt = inAnHour()

    await engine.reschedule(task, runAt)

    expect(await engine.task(task.id)).toMatchObject({
      state: 'scheduled',
      run_at: runAt,
      attempt: 0,
      iteration: 1,
      claim: null,
      payload: { page: 1 },
    })
    expect(await engine.rows('select from attempt')).toEqual([])
  })

  test('gives the next round another payload', async ({ engine }) => {
    const task = await engine.running({ payload: { page: 1 } })

    await engine.reschedule(task, new Date(0), { page: 2 })

    expect(await engine.claimOne('mail')).toMatchObject({
      id: task.id,
      attempt: 1,
      iteration: 1,
      payload: { page: 2 },
    })
  })

  test('holds the key from round to round', async ({ engine }) => {
    const task = await engine.running({ key: 'ada' })
    await engine.reschedule(task, inAnHour())

    const other = await engine.enqueue({ queue: 'mail', key: 'ada' })

    expect(other).toEqual({ id: task.id, outcome: 'kept' })
  })

  test.for(['queued', 'done', 'failed', 'cancelled'] as const)(
    'refuses a task that is %s',
    async (state, { engine }) => {
      const task = await engine.inState(state)
      const before = await engine.task(task.id)

      const late = engine.reschedule(task, inAnHour(), 'other')

      await expect(late).rejects.toMatchObject({ code: 'lease_lost' })
      expect(await engine.task(task.id)).toEqual(before)
    },
  )

  test('refuses a task that is gone', async ({ engine }) => {
    const task = await engine.inState('gone')

    const late = engine.reschedule(task, inAnHour())

    await expect(late).rejects.toMatchObject({ code: 'task_not_found' })
  })

  test('refuses a time that never comes', async ({ engine }) => {
    const task = await engine.running()

    await expect(
      engine.rows(`select reschedule($1, $2, 'infinity')`, task.id, task.claim),
    ).rejects.toMatchObject({ code: 'invalid_argument', message: 'run_at must be a finite time' })
  })

  test('refuses a payload above the limit', async ({ engine }) => {
    await engine.setQueue('mail', { max_payload: 100 })
    const task = await engine.running()

    const large = engine.reschedule(task, inAnHour(), 'x'.repeat(200))

    await expect(large).rejects.toMatchObject({ code: 'payload_too_large' })
    expect(await engine.task(task.id)).toMatchObject({ state: 'running', payload: {} })
  })
})
