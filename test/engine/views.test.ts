import { describe, expect } from 'vitest'
import { durableVerbs } from '../support/durable.ts'
import { test } from '../support/engine.ts'

const later = new Date('2100-01-01')

describe('task', () => {
  test('shows a task for later as scheduled before its first attempt', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', runAt: later })

    expect(await engine.task(id)).toMatchObject({ state: 'scheduled' })
  })

  test('shows a task for later as retrying after an attempt', async ({ engine }) => {
    const task = await engine.running()
    await engine.fail(task)

    expect(await engine.task(task.id)).toMatchObject({ state: 'retrying' })
  })

  test('shows a due task as ready, and follows the time', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', runAt: new Date(Date.now() + 60_000) })
    expect(await engine.task(id)).toMatchObject({ state: 'scheduled' })

    await engine.pass('61 seconds', id)

    expect(await engine.task(id)).toMatchObject({ state: 'ready' })
  })

  test('shows a claimed task as running, with who holds it and until when', async ({ engine }) => {
    const task = await engine.running({}, { worker: 'w1' })

    expect(await engine.task(task.id)).toMatchObject({
      state: 'running',
      worker: 'w1',
      claim: task.claim,
      claimed_at: expect.any(Date),
      lease_expires_at: task.lease_expires_at,
    })
  })

  test('shows a task of a full queue as blocked', async ({ engine }) => {
    await engine.setQueue('mail', { max_running: 1 })
    await engine.running()
    const { id } = await engine.enqueue({ queue: 'mail' })

    expect(await engine.task(id)).toMatchObject({ state: 'blocked' })
  })

  test('shows a task of a queue that waits for its gap as blocked', async ({ engine }) => {
    await engine.setQueue('mail', { gap: '1 minute' })
    await engine.running()
    const { id } = await engine.enqueue({ queue: 'mail' })

    expect(await engine.task(id)).toMatchObject({ state: 'blocked' })
  })

  test.for([
    ['full', { max_running: 1 }],
    ['waiting for its gap', { gap: '1 minute' }],
    ['at its rate', { rate: 1, rate_window: '1 minute' }],
  ] as const)('shows a task as blocked while its group is %s', async ([, limit], { engine }) => {
    await engine.setGroup('ada', limit)
    await engine.running({ groups: ['ada'] })

    const { id } = await engine.enqueue({ queue: 'mail', groups: ['bob', 'ada'] })

    expect(await engine.task(id)).toMatchObject({ state: 'blocked' })
  })

  test('shows a task of a paused group as blocked, before a worker has tried it', async ({
    engine,
  }) => {
    const { id } = await engine.enqueue({ queue: 'mail', groups: ['ada'] })

    await engine.pauseGroup('ada')

    expect(await engine.task(id)).toMatchObject({ state: 'blocked' })
  })

  test('names the group that a parked task waits for', async ({ engine }) => {
    await engine.setGroup('ada', { max_running: 1 })
    await engine.running({ groups: ['ada'] })
    const { id } = await engine.enqueue({ queue: 'mail', groups: ['ada'] })
    await engine.claim('mail')

    expect(await engine.task(id)).toMatchObject({ state: 'blocked', waits_for: 'ada' })
  })

  test('shows every task once, live or finished', async ({ engine }) => {
    const states = ['done', 'failed', 'cancelled', 'running', 'queued'] as const
    for (const state of states) await engine.inState(state)

    const shown = await engine.rows('select state from task order by id')

    expect(shown).toEqual([...states.slice(0, -1), 'ready'].map((state) => ({ state })))
  })
})

describe('queue_stats', () => {
  test('counts what is due, what comes later and what runs', async ({ engine }) => {
    await engine.running()
    await engine.enqueueMany([
      { queue: 'mail' },
      { queue: 'mail', priority: 5 },
      { queue: 'mail', runAt: later },
    ])

    expect(await engine.rows('select * from queue_stats')).toMatchObject([
      { queue: 'mail', running: 1, due: 2, later: 1, oldest_due_at: expect.any(Date) },
    ])
  })

  test.for([false, true])(
    'counts what waits for no time as asleep, and what waits with a time-out as later, is_fair %s',
    async (isFair, { engine }) => {
      await engine.setQueue('mail', { is_fair: isFair })
      const { suspend } = durableVerbs(engine)
      for (const limit of [{}, {}, { for: '1 hour' }]) {
        const task = await engine.running({ queue: 'mail', groups: ['ada'] })
        await suspend(task, { kind: 'signal', name: 'paid', ...limit })
      }
      const first = await engine.enqueue({ queue: 'mail', groups: ['ada'], priority: 3 })
      await engine.enqueue({ queue: 'mail', groups: ['ada'], after: [first.id] })

      expect(await engine.rows('select * from queue_stats')).toMatchObject([
        { running: 0, due: 1, later: 1, asleep: 3 },
      ])
    },
  )

  test('counts the same in a fair queue', async ({ engine }) => {
    await engine.setQueue('mail', { is_fair: true })
    await engine.running({ groups: ['ada'] })
    await engine.enqueueMany([
      { queue: 'mail', groups: ['ada'] },
      { queue: 'mail', groups: ['bob'], runAt: later },
    ])

    expect(await engine.rows('select * from queue_stats')).toMatchObject([
      { running: 1, due: 1, later: 1 },
    ])
  })

  test('counts what waits for a full group as due', async ({ engine }) => {
    await engine.setGroup('ada', { max_running: 1 })
    await engine.running({ groups: ['ada'] })
    await engine.enqueue({ queue: 'mail', groups: ['ada'] })
    await engine.claim('mail')

    expect(await engine.rows('select due from queue_stats')).toEqual([{ due: 1 }])
  })

  test('sums up the last hour, folded or not', async ({ engine }) => {
    await engine.complete(await engine.running())
    await engine.rows('select roll_up()')
    await engine.kill(await engine.running())

    expect(await engine.rows('select * from queue_stats')).toMatchObject([
      { enqueued_last_hour: '2', done_last_hour: '1', failed_last_hour: '1' },
    ])
  })

  test('forgets what happened before', async ({ engine }) => {
    await engine.complete(await engine.running())
    await engine.rows('select roll_up()')
    await engine.pass('2 hours')

    expect(await engine.rows('select * from queue_stats')).toMatchObject([
      { enqueued_last_hour: '0', done_last_hour: '0' },
    ])
  })

  test('shows limits and pauses, also of a queue without tasks', async ({ engine }) => {
    await engine.setQueue('mail', { max_running: 3 })
    await engine.pause('mail')

    expect(await engine.rows('select * from queue_stats')).toMatchObject([
      { queue: 'mail', max_running: 3, paused_at: expect.any(Date), due: 0, later: 0, running: 0 },
    ])
  })
})

describe('group_stats', () => {
  test('shows the limits of a group and how much is in use', async ({ engine }) => {
    await engine.setGroup('ada', { max_running: 2, rate: 3, rate_window: '1 hour' })
    await engine.running({ groups: ['ada'] })
    await engine.pauseGroup('ada')

    expect(await engine.rows('select * from group_stats')).toMatchObject([
      { group_name: 'ada', running: 1, max_running: 2, rate_left: 2, paused_at: expect.any(Date) },
    ])
  })

  test('counts who waits for it', async ({ engine }) => {
    await engine.setGroup('ada', { max_running: 1 })
    await engine.running({ groups: ['ada'] })
    await engine.enqueue({ queue: 'mail', groups: ['ada'] })
    await engine.claim('mail')

    expect(await engine.rows('select running, parked from group_stats')).toEqual([
      { running: 1, parked: 1 },
    ])
  })

  test('leaves out the limits of queues', async ({ engine }) => {
    await engine.setQueue('mail', { max_running: 1 })

    expect(await engine.rows('select from group_stats')).toEqual([])
  })
})

describe('worker', () => {
  test('shows what each worker holds, and whether it sleeps', async ({ engine }) => {
    await engine.rows(
      `select register_worker(id, '{mail}', 4, 'h', 1, '1') from unnest('{w1,w2}'::text[]) as id`,
    )
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    await engine.claim('mail', { limit: 2, worker: 'w1' })
    await engine.rows(`select sleep('w2', '{mail,post}')`)

    expect(await engine.rows('select id, claims, tasks, asleep from worker order by id')).toEqual([
      { id: 'w1', claims: 1, tasks: 2, asleep: false },
      { id: 'w2', claims: 0, tasks: 0, asleep: true },
    ])
  })
})
