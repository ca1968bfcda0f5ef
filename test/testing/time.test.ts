import { describe, expect, test } from 'vitest'
import { defineTask } from '../../src/tasks/define-task.ts'
import { openHere } from '../support/testing.ts'

const nothing = () => {}

describe('pass', () => {
  test('makes due what was scheduled', async () => {
    await using here = await openHere({ nothing })
    await here.tusk.enqueue('nothing', undefined, { delay: '2 hours' })

    await here.pass('119 minutes')
    expect(await here.runAll()).toHaveLength(0)
    await here.pass('1 minute')
    expect(await here.runAll()).toHaveLength(1)
  })

  test('takes milliseconds as well', async () => {
    await using here = await openHere({ nothing })
    await here.tusk.enqueue('nothing', undefined, { delay: 60_000 })

    await here.pass(60_000)

    expect(await here.runAll()).toHaveLength(1)
  })

  test('lets deadlines go by', async () => {
    await using here = await openHere({ nothing })
    const deadline = new Date(Date.now() + 3_600_000)
    const { id } = await here.tusk.enqueue('nothing', undefined, { deadline })

    await here.pass('2 hours')

    expect(await here.tusk.tasks.get(id)).toMatchObject({ state: 'failed', reason: 'expired' })
  })

  test('fires schedules whose time has come', async () => {
    await using here = await openHere({ nothing })
    await here.tusk.schedules.set('daily', { task: { name: 'nothing' }, cron: '@daily' })

    expect(await here.runAll()).toHaveLength(0)
    await here.pass('1 day')
    expect(await here.runAll()).toHaveLength(1)
  })

  test('sweeps what need not be kept any longer', async () => {
    await using here = await openHere({ nothing })
    const { id } = await here.tusk.enqueue('nothing', undefined, { retention: '1 day' })
    await here.runAll()

    await here.pass('3 days')

    expect(await here.tusk.tasks.get(id)).toBeNull()
  })

  test('frees a key when its window is over', async () => {
    await using here = await openHere({ nothing })
    const once = { key: 'a', onDuplicate: 'throttle', window: '1 hour' } as const
    await here.tusk.enqueue('nothing', undefined, once)
    await here.runAll()

    expect(await here.tusk.enqueue('nothing', undefined, once)).toMatchObject({
      outcome: 'throttled',
    })
    await here.pass('2 hours')
    expect(await here.tusk.enqueue('nothing', undefined, once)).toMatchObject({
      outcome: 'created',
    })
  })

  test('keeps counting when minutes of a queue have been counted before', async () => {
    await using here = await openHere({ nothing })
    for (let minute = 0; minute < 3; minute++) {
      await here.tusk.enqueue('nothing')
      await here.runAll()
      await here.pass('1 minute')
    }

    await here.pass('1 minute')

    const { rows } = await here.pool.query(
      `select sum(done) from ${here.schema}.counters where queue <> '*' and width = 60`,
    )
    expect(rows).toEqual([{ sum: '3' }])
  })
})

describe('keyed tasks', () => {
  test('are one task while they wait', async () => {
    await using here = await openHere({ nothing })
    const first = await here.tusk.enqueue('nothing', undefined, { key: 'a' })
    const second = await here.tusk.enqueue('nothing', undefined, { key: 'a' })

    expect(second).toMatchObject({ id: first.id, outcome: 'kept' })
    expect(await here.runAll()).toHaveLength(1)
    expect(await here.tusk.enqueue('nothing', undefined, { key: 'a' })).toMatchObject({
      outcome: 'created',
    })
  })
})

describe('the limits of a group', () => {
  test('let so many start per window, and the rest when it is over', async () => {
    await using here = await openHere({ nothing })
    await here.tusk.groups.set('api', { rate: 2, rateWindow: '1 minute' })
    const task = { name: 'nothing', groups: ['api'] } as const
    await here.tusk.enqueueMany([task, task, task])

    expect(await here.runAll()).toHaveLength(2)
    expect(await here.enqueued({ group: 'api' })).toHaveLength(1)
    await here.pass('2 minutes')
    expect(await here.runAll()).toHaveLength(1)
  })

  test('hold for a batch handler too', async () => {
    const sizes: number[] = []
    const gather = defineTask({
      name: 'gather',
      batch: {
        size: 10,
        run: async (batch: readonly object[]) => {
          sizes.push(batch.length)
          return batch.map(() => null)
        },
      },
    })
    await using here = await openHere([gather])
    await here.tusk.groups.set('api', { maxRunning: 2 })
    const task = { name: 'gather', payload: {}, groups: ['api'] } as const
    await here.tusk.enqueueMany([task, task, task])

    await here.runAll()

    expect(sizes).toEqual([2, 1])
  })

  test('keep a paused queue from running', async () => {
    await using here = await openHere({ nothing })
    await here.tusk.queues.set('nothing', {})
    await here.tusk.queues.pause('nothing')
    await here.tusk.enqueue('nothing')

    expect(await here.runAll()).toEqual([])
    await here.tusk.queues.resume('nothing')
    expect(await here.runAll()).toHaveLength(1)
  })
})
