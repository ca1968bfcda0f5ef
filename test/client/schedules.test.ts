import { describe, expect } from 'vitest'
import { z } from 'zod'
import { defineTask } from '../../src/tasks/define-task.ts'
import { test } from '../support/client.ts'

const report = defineTask({
  name: 'report',
  queue: 'reports',
  version: 2,
  maxAttempts: 3,
  timeout: 1_500,
  schema: z.object({ of: z.string(), pages: z.number().default(1) }),
  run: async ({ of }) => of,
})

describe('a schedule of a client', () => {
  test('enqueues a declared task as enqueue() would', async ({ open, engine }) => {
    const tusk = await open({ tasks: [report] })
    await tusk.schedules.set('nightly', {
      task: { name: 'report', payload: { of: 'yesterday' }, priority: 5, tags: ['night'] },
      every: 60_000,
      misfireAfter: '1 hour',
      startsAt: new Date(Date.now() - 90_000),
    })
    await engine.pass('1 minute')

    await engine.fire()

    const [task] = await engine.claim('reports', { limit: 1 })
    expect(task).toMatchObject({
      handler: 'report',
      version: 2,
      max_attempts: 3,
      timeout: '00:00:01.5',
      priority: 5,
      tags: ['night'],
      payload: { of: 'yesterday' },
      meta: { schedule: 'nightly', planned_at: task?.run_at.toISOString() },
    })
  })

  test('enqueues a task that is not declared', async ({ tusk, engine }) => {
    await tusk.schedules.set('other', {
      task: { queue: 'mail', handler: 'send', payload: { to: 'ada' } },
      at: new Date('2100-01-01'),
    })

    const id = await tusk.schedules.run('other')

    expect(await tusk.tasks.get(id)).toMatchObject({ handler: 'send', payload: { to: 'ada' } })
    expect(await engine.schedule('other')).toMatchObject({ at: new Date('2100-01-01') })
  })

  test('holds the payload to its schema before anything is stored', async ({ open }) => {
    const tusk = await open({ tasks: [report] })

    await expect(
      tusk.schedules.set('nightly', {
        task: { name: 'report', payload: { of: 7 } as never },
        cron: '@daily',
      }),
    ).rejects.toMatchObject({
      code: 'invalid_payload',
      message: expect.stringContaining('payload.of'),
    })

    expect(await tusk.schedules.list()).toEqual([])
  })

  test('refuses a name that no task has', async ({ open }) => {
    const tusk = await open({ tasks: [report] })
    const task = { name: 'raport', payload: {} } as never

    await expect(tusk.schedules.set('nightly', { task, cron: '@daily' })).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.stringContaining('Declared are report'),
    })
  })

  test('is listed, changed, paused, resumed and deleted', async ({ tusk }) => {
    await tusk.schedules.set('a', { task: { queue: 'mail' }, cron: '@daily', zone: 'Asia/Tokyo' })
    await tusk.schedules.set('a', { jitter: 5_000, zone: null })

    expect(await tusk.schedules.list()).toMatchObject([
      { name: 'a', jitter: '00:00:05', zone: 'UTC' },
    ])
    await tusk.schedules.pause('a')
    expect(await tusk.schedules.get('a')).toMatchObject({ state: 'paused' })
    await tusk.schedules.resume('a')
    expect(await tusk.schedules.get('a')).toMatchObject({ state: 'planned' })
    await tusk.schedules.delete('a')
    expect(await tusk.schedules.get('a')).toBeNull()
    await expect(tusk.schedules.delete('a')).rejects.toMatchObject({ code: 'schedule_not_found' })
  })

  test('is part of a transaction of the caller’s', async ({ tusk, connect }) => {
    const client = await connect()
    await client.query('begin')
    await tusk.schedules.set('a', { task: { queue: 'mail' }, cron: '@daily' }, { on: client })
    await client.query('rollback')

    expect(await tusk.schedules.list()).toEqual([])
  })

  test('can be looked at before it is set, and filled for a time before', async ({ tusk }) => {
    const from = new Date('2026-01-01')
    const daily = { cron: '@daily' } as const

    const times = await tusk.schedules.preview(daily, { count: 2, from })
    await tusk.schedules.set('a', { task: { queue: 'mail' }, ...daily })
    const first = await tusk.schedules.backfill('a', from, new Date('2026-01-03'), { limit: 2 })

    expect(times.map(({ plannedAt }) => plannedAt)).toEqual([from, new Date('2026-01-02')])
    expect(first).toEqual({ fired: 2, moreFrom: new Date('2026-01-03') })
    const [newest, oldest] = await tusk.schedules.occurrences('a')
    expect(newest).toMatchObject({ plannedAt: new Date('2026-01-02'), outcome: 'fired' })
    expect(await tusk.schedules.occurrences('a', { before: newest?.plannedAt })).toEqual([oldest])
    expect(await tusk.schedules.occurrences('a', { outcome: 'skipped' })).toEqual([])
  })

  test('follows a configuration', async ({ open }) => {
    const tusk = await open({ tasks: [report] })
    const task = { name: 'report', payload: { of: 'today' } } as const

    await tusk.schedules.apply({ a: { task, every: '1 hour' }, b: { task, cron: '@daily' } })
    const applied = await tusk.schedules.apply({ a: { task, every: '1 hour' } }, { prune: true })

    expect(applied).toEqual([
      { name: 'a', outcome: 'kept' },
      { name: 'b', outcome: 'deleted' },
    ])
  })
})
