import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('delete', () => {
  test.for(['queued', 'running', 'done', 'failed', 'cancelled'] as const)(
    'removes a task that is %s, and all that is known of it',
    async (state, { engine }) => {
      const { id } = await engine.inState(state)

      await engine.delete(id)

      expect(await engine.task(id)).toBeNull()
      for (const table of ['tasks', 'finished', 'attempts', 'claims', 'keys']) {
        expect(await engine.rows(`select from ${table}`)).toEqual([])
      }
    },
  )

  test('takes the lease of one that runs away', async ({ engine }) => {
    const task = await engine.running()

    await engine.delete(task.id)

    expect(await engine.extend([task.claim])).toEqual([])
    await expect(engine.complete(task)).rejects.toMatchObject({ code: 'task_not_found' })
  })

  test('leaves the others of its batch running', async ({ engine }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    const [first, second] = await engine.claim('mail', { limit: 2 })

    await engine.delete(first?.id ?? '')

    expect(await engine.extend([second?.claim ?? ''])).toHaveLength(1)
    expect(await engine.task(second?.id ?? '')).toMatchObject({ state: 'running' })
  })

  test('gives back a key that was kept beyond the end', async ({ engine }) => {
    await engine.setQueue('pages', { keeps_keys: true })
    const task = await engine.running({ queue: 'pages', key: 'ada' })
    await engine.complete(task)

    await engine.delete(task.id)

    expect(await engine.enqueue({ queue: 'pages', key: 'ada' })).toMatchObject({
      outcome: 'created',
    })
  })

  test('does not take the key from a later task', async ({ engine }) => {
    const first = await engine.running({ key: 'ada' })
    await engine.complete(first)
    const second = await engine.enqueue({ queue: 'mail', key: 'ada' })

    await engine.delete(first.id)

    expect(await engine.enqueue({ queue: 'mail', key: 'ada' })).toEqual({
      id: second.id,
      outcome: 'kept',
    })
  })

  test('refuses a task that is gone', async ({ engine }) => {
    const { id } = await engine.inState('gone')

    await expect(engine.delete(id)).rejects.toMatchObject({
      code: 'task_not_found',
      message: `there is no task ${id}`,
      hint: expect.any(String),
    })
  })
})
