import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const inAnHour = () => new Date(Date.now() + 3_600_000)

describe('cancel', () => {
  test('ends a task that waits', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })

    await engine.cancel(id)

    expect(await engine.task(id)).toMatchObject({
      state: 'cancelled',
      reason: 'aborted',
      attempt: 0,
    })
    expect(await engine.claim('mail')).toEqual([])
  })

  test('ends a task that is scheduled for later', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', runAt: inAnHour() })

    await engine.cancel(id)

    expect(await engine.task(id)).toMatchObject({ state: 'cancelled' })
  })

  test('ends a task that runs, and takes its lease away', async ({ engine }) => {
    const task = await engine.running({}, { worker: 'w1' })

    await engine.cancel(task.id)

    expect(await engine.task(task.id)).toMatchObject({ state: 'cancelled', worker: 'w1' })
    expect(await engine.extend([task.claim])).toEqual([])
    await expect(engine.complete(task)).rejects.toMatchObject({ code: 'lease_lost' })
  })

  test('gives the key back', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', key: 'ada' })
    await engine.cancel(id)

    const next = await engine.enqueue({ queue: 'mail', key: 'ada' })

    expect(next.outcome).toBe('created')
  })

  test('keeps the task as long as its queue keeps cancelled ones', async ({ engine }) => {
    await engine.setQueue('mail', { keep_cancelled: '0' })
    const { id } = await engine.enqueue({ queue: 'mail' })

    await engine.cancel(id)

    expect(await engine.task(id)).toBeNull()
  })

  test.for(['done', 'failed', 'cancelled'] as const)(
    'refuses a task that is %s',
    async (state, { engine }) => {
      const { id } = await engine.inState(state)
      const before = await engine.task(id)

      await expect(engine.cancel(id)).rejects.toMatchObject({
        code: 'wrong_state',
        message: `task ${id} is ${state} and cannot be cancelled`,
        hint: 'Only a task that is queued, waiting or running can be cancelled.',
      })

      expect(await engine.task(id)).toEqual(before)
    },
  )

  test('refuses a task that is gone', async ({ engine }) => {
    const { id } = await engine.inState('gone')

    await expect(engine.cancel(id)).rejects.toMatchObject({ code: 'task_not_found' })
  })
})

describe('cancel_many', () => {
  test('ends what lives, and leaves what has ended', async ({ engine }) => {
    const states = ['done', 'failed', 'gone', 'running', 'queued'] as const
    const ids: string[] = []
    for (const state of states) ids.push((await engine.inState(state)).id)

    const cancelled = await engine.rows('select cancel_many as id from cancel_many($1)', ids)

    expect(cancelled).toEqual([{ id: ids[3] }, { id: ids[4] }])
    expect(await engine.rows('select state from task order by id')).toEqual([
      { state: 'done' },
      { state: 'failed' },
      { state: 'cancelled' },
      { state: 'cancelled' },
    ])
  })

  test('has nothing to do without tasks', async ({ engine }) => {
    expect(await engine.rows(`select * from cancel_many('{}')`)).toEqual([])
  })
})
