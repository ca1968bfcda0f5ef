import { describe, expect } from 'vitest'
import { test } from '../support/client.ts'

describe('tusk.queues and tusk.groups', () => {
  test('pauses and resumes queues and groups', async ({ tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail', groups: ['g'] })
    const state = async () => (await tusk.tasks.get(id))?.state

    await tusk.queues.pause('mail')
    const paused = await state()
    await tusk.queues.resume('mail')
    await tusk.groups.pause('g')
    const groupPaused = await state()
    await tusk.groups.resume('g')

    expect([paused, groupPaused, await state()]).toEqual(['blocked', 'blocked', 'ready'])
  })

  test('sets limits of queues and groups, and lifts them again', async ({ tusk }) => {
    await tusk.queues.set('mail', { maxRunning: 3, keepDone: '1 day', onLost: 'fail' })
    await tusk.groups.set('g', { maxRunning: 2, rate: 10, rateWindow: '1 minute', weight: 5 })

    expect(await tusk.queues.stats()).toMatchObject([{ queue: 'mail', maxRunning: 3 }])
    expect(await tusk.groups.stats()).toMatchObject([
      { groupName: 'g', maxRunning: 2, rate: 10, rateWindow: '00:01:00', weight: 5 },
    ])
    await tusk.queues.set('mail', { maxRunning: null })
    expect(await tusk.queues.stats()).toMatchObject([{ maxRunning: null }])
  })

  test('refuses a setting that does not exist', async ({ tusk }) => {
    const refused = tusk.queues.set('mail', { maxRuning: 3 } as never)

    await expect(refused).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('max_runing'),
    })
  })

  test('counts what waits and runs', async ({ tusk, engine }) => {
    await engine.running()
    await tusk.enqueueTask({ queue: 'mail' })
    await tusk.enqueueTask({ queue: 'mail', delay: '1 hour' })

    expect(await tusk.queues.stats()).toMatchObject([
      { queue: 'mail', running: 1, due: 1, later: 1, enqueuedLastHour: 3 },
    ])
  })

  test('sees numbers over time, and how many tasks live', async ({ tusk, engine }) => {
    await tusk.enqueueTask({ queue: 'mail' })
    await engine.complete(await engine.running())
    await engine.rows('select roll_up()')

    const points = await tusk.queues.series({ queue: 'mail', to: new Date(Date.now() + 60_000) })
    expect(points.reduce((sum, { done }) => sum + done, 0)).toBe(1)
    expect(points.filter(({ runP95 }) => runP95 !== null)).toHaveLength(1)
    expect(await tusk.queues.totals()).toMatchObject([{ queue: 'mail', depth: 1, done: 1 }])
  })
})
