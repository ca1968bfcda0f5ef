import { describe, expect } from 'vitest'
import type { Tusk } from '../../src/client/tusk.ts'
import { candidates, take } from '../support/chores.ts'
import { test } from '../support/client.ts'

/** All pages of a list, as lists of ids. */
async function pages(tusk: Tusk, limit: number): Promise<string[][]> {
  const read: string[][] = []
  for (let before: string | undefined; ; ) {
    const { tasks, next } = await tusk.tasks({ queue: 'mail' }, { before, limit })
    read.push(tasks.map(({ id }) => id))
    if (next === null) return read
    before = next
  }
}

describe('a list of tasks', () => {
  test('comes in pages, the newest first, none twice and none left out', async ({ tusk }) => {
    const handles = await tusk.enqueueTasks(Array.from({ length: 7 }, () => ({ queue: 'mail' })))
    const newest = handles.map(({ id }) => id).sort((a, b) => Number(b) - Number(a))

    expect(await pages(tusk, 3)).toEqual([newest.slice(0, 3), newest.slice(3, 6), newest.slice(6)])
    expect(await pages(tusk, 7)).toEqual([newest])
  })

  test('does not slip when tasks come and end meanwhile', async ({ tusk, engine }) => {
    const handles = await tusk.enqueueTasks(Array.from({ length: 4 }, () => ({ queue: 'mail' })))
    const [, , third, fourth] = handles.map(({ id }) => id).sort((a, b) => Number(b) - Number(a))
    const { next } = await tusk.tasks({}, { limit: 2 })

    await tusk.enqueueTask({ queue: 'mail' })
    await engine.complete(await engine.claimOne('mail'))

    const { tasks } = await tusk.tasks({}, { before: next ?? undefined })
    expect(tasks.map(({ id }) => id)).toEqual([third, fourth])
  })

  test.for([
    ['queue', { queue: 'post' }],
    ['key', { key: 'k' }],
    ['handler', { handler: 'send' }],
    ['kind', { kind: 'document' }],
    ['tag', { tag: 'red' }],
    ['group', { group: 'customer 42' }],
    ['parent', { parent: '7' }],
    ['state', { state: 'scheduled' }],
    ['several states', { state: ['scheduled', 'failed'] }],
  ] as const)('can be narrowed by %s', async ([, filter], { tusk }) => {
    await tusk.enqueueTask({ queue: 'mail' })
    const { id } = await tusk.enqueueTask({
      queue: 'post',
      key: 'k',
      handler: 'send',
      kind: 'document',
      tags: ['red', 'blue'],
      groups: ['customer 42'],
      parent: '7',
      delay: '1 hour',
    })

    expect((await tusk.tasks(filter)).tasks).toMatchObject([{ id }])
  })

  test('has what is finished in it', async ({ tusk, engine }) => {
    const held = await engine.running()
    await engine.complete(held, 'sent')

    const { tasks } = await tusk.tasks({ state: 'done' })

    expect(tasks).toMatchObject([{ id: held.id, state: 'done', output: 'sent' }])
  })
})

describe('a client', () => {
  test('looks up a task, and knows when there is none', async ({ tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail' })

    expect(await tusk.task(id)).toMatchObject({ id, state: 'ready' })
    expect(await tusk.task('404')).toBeNull()
  })

  test('cancels, one or many', async ({ tusk }) => {
    const [one, two, three] = await tusk.enqueueTasks([
      { queue: 'mail' },
      { queue: 'mail' },
      { queue: 'mail' },
    ])

    await tusk.cancel(one?.id ?? '')
    const cancelled = await tusk.cancelMany([one, two, three].map((task) => task?.id ?? ''))

    expect(cancelled.sort()).toEqual([two?.id, three?.id].sort())
    await expect(tusk.cancel(one?.id ?? '')).rejects.toMatchObject({ code: 'wrong_state' })
  })

  test('brings back what failed, with a mended payload', async ({ tusk, engine }) => {
    const { id } = await engine.inState('failed')

    await tusk.retry(id, { payload: { to: 'ada' } })

    expect(await tusk.task(id)).toMatchObject({
      state: 'ready',
      attempt: 0,
      payload: { to: 'ada' },
    })
  })

  test('moves and deletes what waits', async ({ tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail' })
    const runAt = new Date('2100-01-01T00:00:00Z')

    await tusk.move(id, runAt)
    expect(await tusk.task(id)).toMatchObject({ state: 'scheduled', run_at: runAt })
    await tusk.delete(id)

    expect(await tusk.task(id)).toBeNull()
  })

  test('does so in a transaction of the caller', async ({ tusk, connect }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail' })
    const client = await connect()

    await client.query('begin')
    await tusk.cancel(id, { on: client })
    await client.query('rollback')

    expect(await tusk.task(id)).toMatchObject({ state: 'ready' })
  })

  test('pauses and resumes queues and groups', async ({ tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail', groups: ['g'] })
    const state = async () => (await tusk.task(id))?.state

    await tusk.pause('mail')
    const paused = await state()
    await tusk.resume('mail')
    await tusk.pauseGroup('g')
    const groupPaused = await state()
    await tusk.resumeGroup('g')

    expect([paused, groupPaused, await state()]).toEqual(['blocked', 'blocked', 'ready'])
  })

  test('sets limits of queues and groups, and lifts them again', async ({ tusk }) => {
    await tusk.setQueue('mail', { maxRunning: 3, keepDone: '1 day', onLost: 'fail' })
    await tusk.setGroup('g', { maxRunning: 2, rate: 10, rateWindow: '1 minute', weight: 5 })

    expect(await tusk.queueStats()).toMatchObject([{ queue: 'mail', max_running: 3 }])
    expect(await tusk.groupStats()).toMatchObject([
      { group_name: 'g', max_running: 2, rate: 10, rate_window: '00:01:00', weight: 5 },
    ])
    await tusk.setQueue('mail', { maxRunning: null })
    expect(await tusk.queueStats()).toMatchObject([{ max_running: null }])
  })

  test('refuses a setting that does not exist', async ({ tusk }) => {
    const refused = tusk.setQueue('mail', { maxRuning: 3 } as never)

    await expect(refused).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('max_runing'),
    })
  })

  test('counts what waits and runs', async ({ tusk, engine }) => {
    await engine.running()
    await tusk.enqueueTask({ queue: 'mail' })
    await tusk.enqueueTask({ queue: 'mail', delay: '1 hour' })

    expect(await tusk.queueStats()).toMatchObject([
      { queue: 'mail', running: 1, due: 1, later: 1, enqueued_last_hour: '3' },
    ])
  })

  test('shows failed attempts, log lines and workers', async ({ tusk, engine }) => {
    const worker = '00000000-0000-4000-8000-000000000001'
    await engine.rows(`select register_worker($1, '{mail}', 5, 'host', 7, '0.1.0')`, worker)
    const held = await engine.running({}, { worker })
    await engine.rows(
      `select log(array[$1::bigint], array[$2::bigint], '{info}', '{half way}')`,
      held.id,
      held.claim,
    )
    await engine.fail(held, { message: 'no' })

    expect(await tusk.attempts(held.id)).toMatchObject([
      { attempt: 1, reason: 'error', error: { message: 'no' } },
    ])
    expect(await tusk.logs(held.id)).toMatchObject([{ attempt: 1, message: 'half way' }])
    expect(await tusk.workers()).toMatchObject([{ id: worker, host: 'host', tasks: 0 }])
  })

  test('shows who leads the chores, and asks them to resign', async ({ tusk, engine }) => {
    await candidates(engine, 'ada')
    await take(engine, 'ada')

    expect(await tusk.leaders()).toMatchObject([{ chore: 'tidy', worker: 'ada', term: '1' }])
    expect(await tusk.chores()).toMatchObject([{ chore: 'tidy', is_led: true, alert: null }])
    expect(await tusk.resign('tidy')).toBe('ada')
  })
})

describe('whatever a client changes', () => {
  test('can be part of a transaction of the caller', async ({ tusk, engine, connect }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail' })
    await candidates(engine, 'ada')
    await take(engine, 'ada')
    const on = await connect()
    const seen = () =>
      engine.rows(`
        select (select jsonb_agg(q order by name) from queues as q) as queues,
               (select jsonb_agg(g order by name) from groups as g) as groups,
               (select jsonb_agg(w) from workers as w) as workers,
               (select jsonb_agg(c) from chores as c) as chores,
               (select jsonb_agg(t) from tasks as t) as tasks`)
    const before = await seen()

    await on.query('begin')
    await tusk.pause('mail', { on })
    await tusk.resume('mail', { on })
    await tusk.pause('post', { on })
    await tusk.setQueue('mail', { maxRunning: 3 }, { on })
    await tusk.pauseGroup('g', { on })
    await tusk.resumeGroup('h', { on })
    await tusk.setGroup('g', { maxRunning: 3 }, { on })
    await tusk.drainWorker('ada', { on })
    expect(await tusk.resign('tidy', { on })).toBe('ada')
    await tusk.amend(id, { priority: 5 }, { on })
    expect(await tusk.task(id, { on })).toMatchObject({ priority: 5 })
    expect(await tusk.deleteMany([id], { on })).toEqual([id])
    await on.query('rollback')

    expect(await seen()).toEqual(before)
  })
})
