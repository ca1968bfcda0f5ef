import { describe, expect } from 'vitest'
import type { ClaimedTask } from '../../src/engine/task.ts'
import { breachesIn, faultsIn } from '../support/books.ts'
import { drain, range } from '../support/crowd.ts'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const inAnHour = () => new Date(Date.now() + 3_600_000)

const parked = (engine: TestEngine) =>
  engine.value<number>('select coalesce(sum(size), 0)::int from tasks where parked_on is not null')

// A program that builds the list of groups may give a task an empty one.
describe('a task with an empty list of groups', () => {
  test.for([
    ['moved', 'move($1, $2)'],
    ['amended', `amend($1, jsonb_build_object('run_at', $2::timestamptz))`],
    [
      'given a group',
      `amend($1, jsonb_build_object('run_at', $2::timestamptz, 'groups', '["eve"]'::jsonb))`,
    ],
  ] as const)('can be %s', async ([, call], { engine, connect }) => {
    const { id } = await engine.enqueue({ queue: 'mail', groups: [] })
    const operator = await connect()
    await operator.query(`set statement_timeout = '60s'`)
    const runAt = inAnHour()

    await operator.query(`select ${call}`, [id, runAt])

    expect(await engine.task(id)).toMatchObject({ state: 'scheduled', run_at: runAt })
  })

  test('is claimed behind a task whose group is full', async ({ engine }) => {
    await engine.setGroup('eve', { max_running: 1 })
    await engine.running({ groups: ['eve'] })
    await engine.enqueue({ queue: 'mail', groups: ['eve'] })
    const { id } = await engine.enqueue({ queue: 'mail', groups: [] })

    expect(await engine.claim('mail', { limit: 1 })).toMatchObject([{ id }])
    expect(await faultsIn(engine)).toEqual([])
  })
})

describe('the next in line gets its turn when the one that runs', () => {
  const endings: Record<string, (engine: TestEngine, task: ClaimedTask) => Promise<unknown>> = {
    'is completed': (engine, task) => engine.complete(task),
    'is completed with others': (engine, task) => engine.completeMany([task]),
    'fails for good': (engine, task) => engine.fail(task, null, { retry: false }),
    'fails and waits': (engine, task) => engine.fail(task, null, { delay: '1 hour' }),
    'is rejected': (engine, task) => engine.reject(task, null, '1 hour'),
    'is killed': (engine, task) => engine.kill(task),
    'is cancelled': (engine, task) => engine.cancel(task.id),
    'is deleted': (engine, task) => engine.delete(task.id),
    'is rescheduled': (engine, task) => engine.reschedule(task, inAnHour()),
    'is released': (engine, task) => engine.release([task]),
    'is lost and rescued': async (engine, task) => {
      await engine.pass('16 seconds', task.id)
      await engine.rescue()
    },
    'is lost for good': async (engine, task) => {
      await engine.setQueue('mail', { on_lost: 'fail' })
      await engine.pass('16 seconds', task.id)
      await engine.rescue()
    },
  }

  for (const [name, end] of Object.entries(endings)) {
    test(name, async ({ engine }) => {
      await engine.setGroup('g', { max_running: 1 })
      for (const _ of range(3)) await engine.enqueue({ queue: 'mail', groups: ['g'] })
      const running = await engine.claimOne('mail', { limit: 3 })
      expect(await parked(engine)).toBe(2)

      await end(engine, running)

      expect(await engine.claim('mail', { limit: 3 })).toHaveLength(1)
      expect(await breachesIn(engine)).toEqual([])
      expect(await faultsIn(engine)).toEqual([])
    })
  }
})

describe('the next in line gets its turn when the one before it, still waiting,', () => {
  const leavings: Record<string, (engine: TestEngine, id: string) => Promise<unknown>> = {
    'is cancelled': (engine, id) => engine.cancel(id),
    'is deleted': (engine, id) => engine.delete(id),
    'is moved to later': (engine, id) => engine.move(id, inAnHour()),
    'is moved to later by a duplicate': (engine) =>
      engine.enqueue({ queue: 'mail', key: 'k', onDuplicate: 'debounce', window: '1 hour' }),
    'is replaced by one for later': (engine) =>
      engine.enqueue({ queue: 'mail', key: 'k', onDuplicate: 'replace', runAt: inAnHour() }),
    expires: async (engine, id) => {
      await engine.rows(`update tasks set deadline = clock_timestamp() where id = $1`, id)
      await engine.rows('select expire()')
    },
  }

  for (const [name, leave] of Object.entries(leavings)) {
    test(name, async ({ engine }) => {
      await engine.setGroup('g', { max_running: 1 })
      const [first, second] = await engine.enqueueMany([
        { queue: 'mail', groups: ['g'], key: 'k' },
        { queue: 'mail', groups: ['g'] },
      ])
      expect(await parked(engine)).toBe(1)

      await leave(engine, first?.id ?? '')

      const claimed = await engine.claim('mail', { limit: 2 })
      expect(claimed.map(({ id }) => id)).toEqual([second?.id])
      expect(await faultsIn(engine)).toEqual([])
    })
  }
})

describe('a bulk', () => {
  test('lets no task wait behind a task that its key kept out', async ({ engine }) => {
    await engine.setGroup('g', { max_running: 1 })
    await engine.enqueue({ queue: 'other', key: 'k' })
    await engine.enqueue({ queue: 'mail', key: 'k', runAt: inAnHour() })

    await engine.enqueueMany([
      { queue: 'mail', groups: ['g'], key: 'k' },
      { queue: 'mail', groups: ['g'] },
      { queue: 'mail', groups: ['g'] },
    ])

    expect(await engine.claim('mail', { limit: 3 })).toHaveLength(1)
  })

  test('is served in the order of priority, time and arrival', async ({ engine }) => {
    await engine.setGroup('g', { max_running: 1 })
    const made = await engine.enqueueMany(
      [0, 5, 0, 9, 5].map((priority) => ({ queue: 'mail', groups: ['g'], priority })),
    )

    const handed = await drain([engine], 'mail')

    const order = [3, 1, 4, 0, 2].map((index) => made[index]?.id)
    expect(handed.map(({ id }) => id)).toEqual(order)
  })
})

describe('a task of several groups', () => {
  test('waits for the one that is full, and leaves its place in the others', async ({ engine }) => {
    for (const group of ['a', 'b']) await engine.setGroup(group, { max_running: 1 })
    const held = await engine.running({ groups: ['a'] })
    await engine.enqueue({ queue: 'mail', groups: ['a', 'b'] })
    const { id } = await engine.enqueue({ queue: 'mail', groups: ['b'] })

    const [next] = await engine.claim('mail', { limit: 2 })
    await engine.complete(held)
    const whileBRuns = await engine.claim('mail', { limit: 2 })
    await engine.complete(next ?? held)

    expect(next).toMatchObject({ id })
    expect(whileBRuns).toEqual([])
    expect(await engine.claim('mail', { limit: 2 })).toMatchObject([{ groups: ['a', 'b'] }])
    expect(await faultsIn(engine)).toEqual([])
  })

  test('cannot name a group twice', async ({ engine }) => {
    const twice = engine.enqueue({ queue: 'mail', groups: ['g', 'g'] })

    await expect(twice).rejects.toMatchObject({ code: 'invalid_argument' })
  })
})

describe('a group shared by two queues', () => {
  test('goes on in one while the other is paused, once its books are looked over', async ({
    engine,
  }) => {
    await engine.setGroup('g', { max_running: 1 })
    const held = await engine.running({ groups: ['g'] })
    for (let n = 0; n < 3; n++) await engine.enqueue({ queue: 'mail', groups: ['g'] })
    await engine.enqueue({ queue: 'letters', groups: ['g'] })
    const none = [await engine.claim('mail', { limit: 9 }), await engine.claim('letters')]
    expect(none).toEqual([[], []])

    await engine.pause('mail')
    await engine.complete(held)
    await engine.rows('select * from repair_limits()')

    expect(await engine.claim('letters')).toHaveLength(1)
  })
})
