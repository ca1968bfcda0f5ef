import { describe, expect } from 'vitest'
import { QueueOrder } from '../../src/worker/claim/queue-order.ts'
import type { HeldTask } from '../../src/worker/leases/held-task.ts'
import { Buffer } from '../../src/worker/run/buffer.ts'
import { range } from '../support/crowd.ts'
import { until } from '../support/until.ts'
import { signalled, test } from '../support/worker.ts'

const share = (queue: string, weight = 1) => ({ queue, weight })

describe('the order of queues', () => {
  test('lets each go first as often as its weight says', () => {
    const order = new QueueOrder([share('mail', 3), share('print', 1)], 'weighted')

    const firsts = range(8).map(() => order.next()[0])

    expect(firsts.filter((queue) => queue === 'mail')).toHaveLength(6)
    expect(firsts.slice(0, 4)).toContain('print')
  })

  test('is always the same when it is strict', () => {
    const order = new QueueOrder([share('mail'), share('print'), share('scan')], 'strict')

    expect(range(3).map(() => order.next().join())).toEqual(Array(3).fill('mail,print,scan'))
    expect(order.rankOf('scan')).toBe(2)
  })
})

describe('the buffer', () => {
  const held = (queue: string, id: string) => ({ row: { queue }, id }) as unknown as HeldTask

  test('hands out tasks in the order they came', () => {
    const buffer = new Buffer(() => 0)
    for (const id of ['1', '2', '3']) buffer.add(held('mail', id))

    expect([buffer.take()?.id, buffer.take()?.id, buffer.size]).toEqual(['1', '2', 1])
    buffer.add(held('mail', '4'))
    expect([buffer.take()?.id, buffer.take()?.id, buffer.take()]).toEqual(['3', '4', undefined])
  })

  test('prefers the queue further up', () => {
    const buffer = new Buffer((queue) => (queue === 'mail' ? 0 : 1))
    buffer.add(held('print', '1'))
    buffer.add(held('mail', '2'))

    expect([buffer.take()?.id, buffer.take()?.id]).toEqual(['2', '1'])
  })

  test('passes over what was lost while it waited', () => {
    const buffer = new Buffer(() => 0)
    buffer.add({ ...held('mail', '1'), aborted: new Error('gone') } as unknown as HeldTask)
    buffer.add(held('mail', '2'))

    expect(buffer.take()?.id).toBe('2')
  })
})

describe('a worker with several queues', () => {
  test('serves all of them', async ({ engine, work, allDone }) => {
    const ran: string[] = []
    const tasks = Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [name, () => void ran.push(name)]),
    )
    await engine.enqueueMany(range(90).map((n) => ({ queue: 'abc'[n % 3] ?? 'a' })))
    await work({ tasks })
    await allDone()

    expect(ran).toHaveLength(90)
  })

  test('serves a thousand queues, of which few have tasks', async ({ engine, work, allDone }) => {
    const queues = range(1_000).map((n) => `q${n}`)
    const busy = range(40).map((n) => `q${n * 25}`)
    const ran: string[] = []
    const enqueueAll = () =>
      engine.enqueueMany(busy.map((queue) => ({ queue, handler: 'note', payload: queue })))
    await enqueueAll()
    await work({ tasks: { note: (queue: string) => void ran.push(queue) }, queues })
    await allDone()
    await until(() => engine.value('select bool_and(asleep) from worker'))
    await enqueueAll()
    await allDone()

    expect(ran).toHaveLength(2 * busy.length)
    expect(new Set(ran)).toEqual(new Set(busy))
    expect(await engine.value('select count(*)::int from claims')).toBe(0)
  })

  test('serves a queue further down only while the others are empty', async ({
    engine,
    work,
    allDone,
  }) => {
    const ran: string[] = []
    const tasks = { urgent: () => void ran.push('urgent'), other: () => void ran.push('other') }
    await engine.enqueueMany([
      ...range(20).map(() => ({ queue: 'other' })),
      ...range(20).map(() => ({ queue: 'urgent' })),
    ])
    await work({ tasks, queues: ['urgent', 'other'], order: 'strict', concurrency: 1, buffer: 0 })
    await allDone()

    expect(ran).toEqual([...Array(20).fill('urgent'), ...Array(20).fill('other')])
  })
})

describe('concurrency', () => {
  test('is never exceeded, and nothing is claimed beyond the buffer', async ({ engine, work }) => {
    const open = signalled()
    let running = 0
    await engine.enqueueMany(range(50).map(() => ({ queue: 'mail' })))
    const worker = await work({
      tasks: {
        mail: () => {
          running += 1
          return open.promise
        },
      },
      concurrency: 3,
      buffer: 0,
    })
    await expect
      .poll(() =>
        engine.value('select coalesce(sum(size), 0)::int from tasks where claim is not null'),
      )
      .toBe(3)
    await expect.poll(() => running).toBe(3)

    expect(worker.load).toEqual({ running: 3, buffered: 0 })
    open.resolve()
  })

  test('leaves slow tasks to others instead of hoarding them', async ({ engine, work }) => {
    const open = signalled()
    await engine.enqueueMany(range(500).map(() => ({ queue: 'mail' })))
    await work({ tasks: { mail: () => open.promise }, concurrency: 5 })
    await expect.poll(() => engine.value('select asleep from worker')).toBe(false)

    expect(
      await engine.value('select coalesce(sum(size), 0)::int from tasks where claim is not null'),
    ).toBeLessThanOrEqual(10)
    open.resolve()
  })
})

describe('a batch handler', () => {
  test('gets many tasks at once, and each has its own end', async ({ engine, work, allDone }) => {
    const sizes: number[] = []
    await engine.enqueueMany(range(25).map((n) => ({ queue: 'mail', payload: n, maxAttempts: 1 })))
    await work({
      tasks: [
        {
          name: 'mail',
          batch: {
            size: 10,
            run: async (batch: readonly { payload: number }[]) => {
              sizes.push(batch.length)
              return batch.map(({ payload }) => (payload === 7 ? new Error('seven') : payload * 2))
            },
          },
        },
      ],
    })
    await allDone()

    expect(Math.max(...sizes)).toBe(10)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(25)
    expect(
      await engine.rows(
        `select payload, error ->> 'message' as error from finished where state = 'failed'`,
      ),
    ).toEqual([{ payload: 7, error: 'seven' }])
  })
})
