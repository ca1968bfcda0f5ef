import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('kill_running', () => {
  test('fails a running task for good, and takes its lease away', async ({ engine }) => {
    const task = await engine.running({ maxAttempts: 9 }, { worker: 'w1' })

    await engine.killRunning(task.id, { message: 'enough' })

    expect(await engine.task(task.id)).toMatchObject({
      state: 'failed',
      reason: 'killed',
      attempt: 1,
      worker: 'w1',
      error: { message: 'enough' },
    })
    expect(await engine.rows('select reason from attempt')).toEqual([{ reason: 'killed' }])
    expect(await engine.extend([task.claim])).toEqual([])
    await expect(engine.complete(task)).rejects.toMatchObject({ code: 'lease_lost' })
  })

  test('says that it was killed when no reason is given', async ({ engine }) => {
    const { id } = await engine.running()

    await engine.killRunning(id)

    expect(await engine.task(id)).toMatchObject({ error: { code: 'killed' } })
  })

  test('notifies its worker, by the channel of cancel', async ({ engine, db, schema }) => {
    const { id, claim } = await engine.running()
    const listener = await db.connect()
    try {
      const heard = new Promise((resolve) => listener.on('notification', resolve))
      await listener.query(`listen "${schema}:cancel"`)

      await engine.killRunning(id)

      expect(await heard).toMatchObject({ payload: `${id} ${claim}` })
    } finally {
      listener.release(true)
    }
  })

  test('gives the key and the room in the queue back', async ({ engine }) => {
    await engine.setQueue('mail', { max_running: 1 })
    const { id } = await engine.running({ queue: 'mail', key: 'ada' })
    await engine.killRunning(id)

    const next = await engine.enqueue({ queue: 'mail', key: 'ada' })

    expect(next.outcome).toBe('created')
    expect(await engine.claim('mail')).toMatchObject([{ id: next.id }])
  })

  test.for(['queued', 'done', 'failed', 'cancelled'] as const)(
    'refuses a task that is %s',
    async (state, { engine }) => {
      const { id } = await engine.inState(state)
      const before = await engine.task(id)

      await expect(engine.killRunning(id)).rejects.toMatchObject({
        code: 'wrong_state',
        message: `task ${id} is ${state} and cannot be killed`,
        hint: 'Only a task that is running can be killed.',
      })

      expect(await engine.task(id)).toEqual(before)
    },
  )

  test('refuses a task that is gone', async ({ engine }) => {
    const { id } = await engine.inState('gone')

    await expect(engine.killRunning(id)).rejects.toMatchObject({ code: 'task_not_found' })
  })
})
