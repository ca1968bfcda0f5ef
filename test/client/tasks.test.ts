import { describe, expect } from 'vitest'
import type { Tusk } from '../../src/client/tusk.ts'
import { candidates, take } from '../support/chores.ts'
import { test } from '../support/client.ts'

/** All pages of a list, as lists of ids. */
async function pages(tusk: Tusk, limit: number): Promise<string[][]> {
  const read: string[][] = []
  for (let before: string | undefined; ; ) {
    const { tasks, next } = await tusk.tasks.list({ queue: 'mail' }, { before, limit })
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
    const { next } = await tusk.tasks.list({}, { limit: 2 })

    await tusk.enqueueTask({ queue: 'mail' })
    await engine.complete(await engine.claimOne('mail'))

    const { tasks } = await tusk.tasks.list({}, { before: next ?? undefined })
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

    expect((await tusk.tasks.list(filter)).tasks).toMatchObject([{ id }])
  })

  test('has what is finished in it', async ({ tusk, engine }) => {
    const held = await engine.running()
    await engine.complete(held, 'sent')

    const { tasks } = await tusk.tasks.list({ state: 'done' })

    expect(tasks).toMatchObject([{ id: held.id, state: 'done', output: 'sent' }])
  })
})

describe('a client', () => {
  test('looks up a task, and knows when there is none', async ({ tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail' })

    expect(await tusk.tasks.get(id)).toMatchObject({ id, state: 'ready' })
    expect(await tusk.tasks.get('404')).toBeNull()
  })

  test('cancels, one or many', async ({ tusk }) => {
    const [one, two, three] = await tusk.enqueueTasks([
      { queue: 'mail' },
      { queue: 'mail' },
      { queue: 'mail' },
    ])

    await tusk.tasks.cancel(one?.id ?? '')
    const cancelled = await tusk.tasks.cancelMany([one, two, three].map((task) => task?.id ?? ''))

    expect(cancelled.sort()).toEqual([two?.id, three?.id].sort())
    await expect(tusk.tasks.cancel(one?.id ?? '')).rejects.toMatchObject({ code: 'wrong_state' })
  })

  test('retries what failed, with a corrected payload', async ({ tusk, engine }) => {
    const { id } = await engine.inState('failed')

    await tusk.tasks.retry(id, { payload: { to: 'ada' } })

    expect(await tusk.tasks.get(id)).toMatchObject({
      state: 'ready',
      attempt: 0,
      payload: { to: 'ada' },
    })
  })

  test('moves and deletes what waits', async ({ tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail' })
    const runAt = new Date('2100-01-01T00:00:00Z')

    await tusk.tasks.move(id, runAt)
    expect(await tusk.tasks.get(id)).toMatchObject({ state: 'scheduled', runAt })
    await tusk.tasks.delete(id)

    expect(await tusk.tasks.get(id)).toBeNull()
  })

  test('does so in a transaction of the caller', async ({ tusk, connect }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail' })
    const client = await connect()

    await client.query('begin')
    await tusk.tasks.cancel(id, { on: client })
    await client.query('rollback')

    expect(await tusk.tasks.get(id)).toMatchObject({ state: 'ready' })
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

    expect(await tusk.tasks.attempts(held.id)).toMatchObject([
      { attempt: 1, reason: 'error', error: { message: 'no' } },
    ])
    expect(await tusk.tasks.logs(held.id)).toMatchObject([{ attempt: 1, message: 'half way' }])
    expect(await tusk.workers.list()).toMatchObject([{ id: worker, host: 'host', tasks: 0 }])
  })
})

describe('a client that looks for tasks', () => {
  test('counts the tasks that match', async ({ tusk }) => {
    await tusk.enqueueTasks([{ queue: 'mail' }, { queue: 'post' }, { queue: 'mail' }])

    expect(await tusk.tasks.count({ queue: 'mail' })).toEqual({ count: 2, exact: true })
    expect(await tusk.tasks.count({}, { cap: 1 })).toEqual({ count: 1, exact: false })
  })

  test('finds tasks by time and by text', async ({ tusk }) => {
    const { id } = await tusk.enqueueTask({ queue: 'mail', payload: { to: 'Ada Lovelace' } })
    await tusk.enqueueTask({ queue: 'mail', payload: { to: 'bob' } })
    const soon = new Date(Date.now() + 60_000)

    expect((await tusk.tasks.list({ text: 'lovelace', createdBefore: soon })).tasks).toMatchObject([
      { id },
    ])
    expect((await tusk.tasks.list({ text: 'lovelace', createdAfter: soon })).tasks).toEqual([])
  })

  test('sees which errors there are, and their tasks', async ({ tusk, engine }) => {
    const task = await engine.running()
    await engine.kill(task, { code: 'E42', message: 'no account 7' })
    await engine.rows('select roll_up()')

    const [group] = await tusk.tasks.errorGroups({ since: new Date(Date.now() - 60_000) })

    expect(group).toMatchObject({ code: 'E42', message: 'no account …', count: 1 })
    expect((await tusk.tasks.list({ error: group?.fingerprint })).tasks).toMatchObject([
      { id: task.id },
    ])
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
    for (const queue of ['mail', 'post']) await tusk.queues.set(queue, {})
    const before = await seen()

    await on.query('begin')
    await tusk.queues.pause('mail', { on })
    await tusk.queues.resume('mail', { on })
    await tusk.queues.pause('post', { on })
    await tusk.queues.set('mail', { maxRunning: 3 }, { on })
    await tusk.groups.pause('g', { on })
    await tusk.groups.resume('h', { on })
    await tusk.groups.set('g', { maxRunning: 3 }, { on })
    await tusk.workers.drain('ada', { on })
    expect(await tusk.chores.resign('tidy', { on })).toBe('ada')
    await tusk.tasks.amend(id, { priority: 5 }, { on })
    expect(await tusk.tasks.get(id, { on })).toMatchObject({ priority: 5 })
    expect(await tusk.tasks.deleteMany([id], { on })).toEqual([id])
    await on.query('rollback')

    expect(await seen()).toEqual(before)
  })
})
