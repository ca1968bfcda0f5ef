import { describe, expect } from 'vitest'
import { TuskError } from '../../../src/lib/errors.ts'
import { kill, reject, reschedule } from '../../../src/tasks/steering.ts'
import type {
  WorkerEventName,
  WorkerEvents,
  WorkerListeners,
} from '../../../src/worker/events/worker-events.ts'
import { until } from '../../support/until.ts'
import { signalled, test } from '../../support/worker.ts'

type Heard = {
  [Name in WorkerEventName]: { name: Name; event: WorkerEvents[Name] }
}[WorkerEventName]

/** Listeners that remember their calls. */
function remember() {
  const heard: Heard[] = []
  const names = ['started', 'completed', 'failed', 'rescheduled', 'released', 'lost'] as const
  const all = [...names, 'idle', 'stopping', 'stopped'] as const
  const listeners = Object.fromEntries(
    all.map((name) => [name, (event: never) => void heard.push({ name, event } as Heard)]),
  ) as WorkerListeners
  const of = <Name extends WorkerEventName>(name: Name) =>
    heard.flatMap((each) => (each.name === name ? [each.event as WorkerEvents[Name]] : []))
  return { heard, listeners, of }
}

describe('events of a worker', () => {
  test('tell of a task that starts and completes, with the task and how long it took', async ({
    engine,
    work,
    allDone,
  }) => {
    const { listeners, of } = remember()
    const { id } = await engine.enqueue({ queue: 'mail', payload: { to: 'ada' }, tags: ['web'] })
    await work({ tasks: { mail: async () => 'sent' }, listeners })
    await allDone()
    await until(async () => of('completed').length === 1)

    const task = { id, queue: 'mail', handler: 'mail', attempt: 1, payload: { to: 'ada' } }
    expect(of('started')).toMatchObject([{ task: { ...task, tags: ['web'] } }])
    expect(of('completed')).toMatchObject([{ task, durationMs: expect.any(Number) }])
    expect(of('completed')[0]?.task).toBe(of('started')[0]?.task)
    expect(of('failed')).toEqual([])
  })

  test('tell of each task of a pack, and of one that its own transaction completes', async ({
    engine,
    work,
    allDone,
  }) => {
    const { listeners, of } = remember()
    await engine.enqueueMany(Array.from({ length: 30 }, (_, n) => ({ queue: 'mail', payload: n })))
    await engine.enqueue({ queue: 'order' })
    const tasks = {
      mail: () => {},
      order: (
        _: unknown,
        { transaction }: { transaction: (work: () => Promise<null>) => unknown },
      ) => transaction(async () => null),
    }
    await work({ tasks: tasks as never, listeners })
    await allDone()

    await until(async () => of('completed').length === 31)
    expect(new Set(of('completed').map(({ task }) => task.id)).size).toBe(31)
    expect(of('started')).toHaveLength(31)
  })

  test('tell of every failed attempt what was thrown, when the next comes, and which is the last', async ({
    engine,
    work,
    allDone,
  }) => {
    const { listeners, of } = remember()
    const thrown = new TypeError('no paper')
    await engine.enqueue({
      queue: 'mail',
      maxAttempts: 2,
      backoff: { kind: 'fixed', base: '1 millisecond' },
    })
    const run = () => {
      throw thrown
    }
    await work({ tasks: { mail: run }, listeners })
    await allDone()
    await until(async () => of('failed').length === 2)

    const [first, last] = of('failed')
    expect(first).toMatchObject({ reason: 'error', isFinal: false, task: { attempt: 1 } })
    expect(first?.error).toBe(thrown)
    expect(first?.nextAttemptAt).toBeInstanceOf(Date)
    expect(last).toMatchObject({ isFinal: true, nextAttemptAt: null, task: { attempt: 2 } })
  })

  test('tell of rejections, kills, timeouts and further rounds', async ({ engine, work }) => {
    const { listeners, of } = remember()
    for (const queue of ['later', 'never', 'slow', 'again']) await engine.enqueue({ queue })
    const runAt = new Date('2030-01-01T00:00:00Z')
    await work({
      tasks: {
        later: () => reject('closed', { delay: '1 hour' }),
        never: () => kill('gone'),
        slow: { timeout: 20, maxAttempts: 1, run: () => new Promise(() => {}) },
        again: () => reschedule(runAt),
      },
      listeners,
    })
    await until(async () => of('failed').length === 3 && of('rescheduled').length === 1)

    const failed = Object.fromEntries(of('failed').map((each) => [each.task.queue, each]))
    expect(failed['later']).toMatchObject({ reason: 'rejected', isFinal: false })
    expect(failed['later']?.error).toMatchObject({ message: 'closed' })
    expect(failed['later']?.nextAttemptAt?.getTime()).toBeGreaterThan(Date.now() + 60_000)
    expect(failed['never']).toMatchObject({ reason: 'killed', isFinal: true })
    expect(failed['slow']).toMatchObject({ reason: 'timeout' })
    expect(of('rescheduled')).toMatchObject([{ task: { queue: 'again' }, runAt }])
  })

  test('tell of tasks that are lost and of tasks that are given back', async ({ engine, work }) => {
    const { listeners, of } = remember()
    const { id } = await engine.enqueue({ queue: 'mail', payload: 'first' })
    const worker = await work({
      tasks: {
        mail: (_: unknown, { signal }) =>
          new Promise((_done, fail) => {
            signal.addEventListener('abort', () => fail(signal.reason))
          }),
      },
      concurrency: 1,
      buffer: 10,
      listeners,
    })
    await until(async () => of('started').length === 1)
    await engine.cancel(id)
    await until(async () => of('lost').length === 1)
    expect(of('lost')).toMatchObject([{ task: { id }, reason: 'cancelled' }])

    const second = await engine.enqueue({ queue: 'mail', payload: 'second' })
    await until(async () => of('started').length === 2)
    await worker.stop({ deadlineMs: 0 })
    expect(of('released')).toMatchObject([{ task: { id: second.id }, wasStarted: true }])
    expect(of('stopping')).toHaveLength(1)
    expect(of('stopped')).toHaveLength(1)
  })

  test('tell once that there is nothing left to do, after everything was reported', async ({
    engine,
    work,
  }) => {
    const { heard, listeners, of } = remember()
    const open = signalled()
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    await work({ tasks: { mail: () => open.promise }, listeners })
    await until(async () => of('started').length === 2)
    await until(() => engine.value('select bool_and(asleep) from worker'))
    expect(of('idle')).toEqual([])

    open.resolve()
    await until(async () => of('idle').length === 1)
    expect(heard.slice(-1)).toEqual([{ name: 'idle', event: {} }])
    expect(of('completed')).toHaveLength(2)
  })

  test('reach a listener until it unsubscribes', async ({ engine, work }) => {
    const ids: string[] = []
    const worker = await work({ tasks: { mail: () => {} } })
    const all = signalled()
    let completed = 0
    worker.on('completed', () => {
      completed += 1
      if (completed === 2) all.resolve()
    })
    const stop = worker.on('completed', ({ task }) => {
      ids.push(task.id)
      stop()
    })
    const { id } = await engine.enqueue({ queue: 'mail' })
    await until(async () => ids.length === 1)
    await engine.enqueue({ queue: 'mail' })
    await all.promise
    expect(ids).toEqual([id])
  })

  test('do the worker no harm when a listener throws or rejects', async ({
    engine,
    work,
    allDone,
    said,
  }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    const fail = () => {
      throw new Error('the listener broke')
    }
    const listeners = {
      started: fail,
      completed: async () => fail(),
      idle: fail,
    }
    const worker = await work({ tasks: { mail: () => {} }, listeners })
    await allDone()

    await until(async () => said.join('\n').includes('a listener for "completed" failed'))
    expect(said.join('\n')).toContain('a listener for "started" failed')
    expect(await engine.value('select count(*)::int from finished')).toBeGreaterThan(0)
    await worker.stop()
    expect(said.join('\n')).toContain('the worker has stopped')
  })

  test('refuse a name that no event has, with the one that was meant', async ({ work }) => {
    const worker = await work({ tasks: { mail: () => {} } })
    const listen = () => worker.on('complete' as 'completed', () => {})
    expect(listen).toThrow(TuskError)
    expect(listen).toThrow('there is no worker event "complete"')
    try {
      listen()
    } catch (error) {
      expect(error).toMatchObject({ hint: 'Did you mean "completed"?' })
    }
    await expect(
      work({ tasks: { mail: () => {} }, listeners: { fail: () => {} } as never }),
    ).rejects.toThrow('there is no worker event "fail"')
  })
})
