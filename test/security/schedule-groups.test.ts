import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const nightly = { task: { queue: 'reports' }, every: '1 hour', overlap: 'queue' } as const

describe('the group of a schedule', () => {
  test('cannot be named by a caller that claims to act for a schedule', async ({
    engine,
    connect,
  }) => {
    await engine.setSchedule('nightly', nightly)
    const producer = engine.on(await connect())
    await producer.rows(`set tusk.acting_for = 'nightly'`)

    const refused = producer.enqueue({ queue: 'reports', groups: ['schedule:nightly'] })

    await expect(refused).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('belong to schedules'),
    })
  })

  test('cannot be named by the task of another schedule', async ({ engine }) => {
    const refused = engine.setSchedule('other', {
      ...nightly,
      task: { queue: 'reports', groups: ['schedule:nightly'] },
    })

    await expect(refused).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('belong to schedules'),
    })
  })

  test('stays with a task that is amended', async ({ engine }) => {
    await engine.setSchedule('nightly', nightly)
    await engine.runSchedule('nightly')
    const [task] = await engine.rows<{ id: string }>(`select id from task where queue = 'reports'`)

    await engine.amend(String(task?.id), { priority: 5 })

    expect(await engine.task(String(task?.id))).toMatchObject({
      priority: 5,
      groups: ['schedule:nightly'],
    })
  })
})
