import { describe, expect, inject } from 'vitest'
import { startWorker } from '../../src/worker/worker.ts'
import { testRoles } from '../support/engine.ts'
import { until } from '../support/until.ts'
import { test } from '../support/worker.ts'

describe('a worker with schedules', () => {
  test('sets them when it starts, fires them, and tells its handlers which they are', async ({
    work,
    engine,
  }) => {
    const heard: unknown[] = []
    await work({
      tasks: { beat: (_: object, { task }) => void heard.push(task.meta) },
      schedules: { heartbeat: { task: { name: 'beat' }, every: '1 second' } },
    })

    await until(async () => heard.length >= 2)

    const [newest] = await engine.occurrences('heartbeat', { outcome: 'fired', limit: 1 })
    expect(newest).toMatchObject({ origin: 'schedule' })
    expect(heard[0]).toEqual({
      schedule: 'heartbeat',
      planned_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
  })

  test('leaves alone what it finds as it should be, and what is not its own', async ({
    work,
    engine,
    said,
  }) => {
    const options = {
      tasks: { beat: () => null },
      schedules: { heartbeat: { task: { name: 'beat' }, cron: '@yearly' } },
    } as const
    await engine.setSchedule('other', { task: { queue: 'mail' }, cron: '@daily' })
    await work(options)
    await work(options)

    expect(await engine.schedules()).toMatchObject([
      { name: 'heartbeat', revision: 1 },
      { name: 'other', revision: 1 },
    ])
    expect(said.filter((line) => line.startsWith('the worker has set schedules'))).toHaveLength(1)
  })

  test('hears of a schedule that is set while it sleeps', async ({ work, engine }) => {
    const heard: unknown[] = []
    await work({ tasks: { beat: (payload: unknown) => void heard.push(payload) } })

    await engine.setSchedule('soon', {
      task: { queue: 'beat', payload: 'now' },
      at: await engine.value<string>(`select (clock_timestamp() + interval '1 second')::text`),
    })

    await until(async () => heard.length > 0)
    expect(heard).toEqual(['now'])
  })

  test('starts although one of them lies behind, and warns of it once', async ({
    work,
    engine,
    said,
  }) => {
    const options = {
      tasks: { beat: () => null },
      schedules: { launch: { task: { name: 'beat' }, at: '2020-01-01' } },
    } as const

    await work(options)
    await work(options)

    expect(await engine.schedules()).toMatchObject([{ name: 'launch', state: 'over' }])
    expect(said.filter((line) => line.includes('no time left to come'))).toEqual([
      expect.stringContaining('launch'),
    ])
    expect(await engine.value('select coalesce(sum(size), 0)::integer from tasks')).toBe(0)
  })

  test.for([
    ['a task that it does not have', { task: { name: 'bet' }, cron: '@daily' }, 'named "bet"'],
    ['an expression that cannot be read', { task: { name: 'beat' }, cron: '99 * * * *' }, '99'],
  ] as const)('does not start with %s', async ([, settings, message], { work }) => {
    const tasks = { beat: () => null }

    await expect(work({ tasks, schedules: { a: settings } })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
    })
  })

  test('does not start when its role may not set them, and says so', async ({ schema, engine }) => {
    const url = new URL(inject('pgUrl'))
    url.searchParams.set('options', `-c role=${testRoles}_worker`)

    const started = startWorker({
      database: url.href,
      schema,
      signals: false,
      logger: false,
      tasks: { beat: () => null },
      schedules: { a: { task: { name: 'beat' }, cron: '@daily' } },
    })

    await expect(started).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.stringContaining('operator'),
    })
    expect(await engine.schedules()).toEqual([])
  })
})
