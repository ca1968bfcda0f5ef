import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { member, range, waitsForLock } from '../support/crowd.ts'
import { test } from '../support/engine.ts'

// Two sessions meet on purpose, one held in the middle of its transaction. Postgres would end a
// deadlock by failing one of them, so it is enough that both succeed.

describe('two who end tasks of one batch', () => {
  test('leave no lease behind', async ({ engine, connect }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    const [one, two] = await engine.claim('mail', { limit: 2 })
    const first = await member(engine, connect)
    const second = await member(engine, connect)

    await first.rows('begin')
    await first.completeMany(one ? [one] : [])
    const other = second.completeMany(two ? [two] : [])
    await first.rows('commit')
    await other
    // The second may have been too long in line: then it left a note.
    await engine.rescue()

    expect(await engine.rows('select id, open from claims')).toEqual([])
  })

  test('do not wait for each other in a circle', async ({ engine, connect }) => {
    await engine.enqueueMany([
      { queue: 'mail' },
      { queue: 'mail', priority: 1 },
      { queue: 'mail', priority: 2 },
    ])
    const tasks = await engine.claim('mail', { limit: 3 })
    const holder = await member(engine, connect)
    const completer = await member(engine, connect)
    const canceller = await member(engine, connect)

    // The middle one is held, so each of the others gets as far as it and no further.
    await holder.rows('begin')
    await holder.rows('select from tasks where id = $1 for update', tasks[1]?.id)
    const completed = completer.completeMany(tasks)
    await waitsForLock(engine, completer)
    const cancelled = canceller.rows(
      'select cancel_many($1)',
      tasks.map(({ id }) => id),
    )
    await waitsForLock(engine, canceller)
    await holder.rows('commit')

    expect((await completed).length + (await cancelled).length).toBe(3)
    expect(await faultsIn(engine)).toEqual([])
  })
})

// It goes through its tasks one by one, and keeps what it locks for each until the page is done.
describe('an operation on tasks of a group', () => {
  test.for([
    ['kill', {}],
    ['move', { run_at: '2100-01-01T00:00:00Z' }],
    ['amend', { changes: { run_at: '2100-01-01T00:00:00Z' } }],
  ] as const)(
    'does not wait in a circle with a worker: %s',
    async ([action, given], { engine, connect }) => {
      const tasks = await engine.enqueueMany(
        range(3).map(() => ({ queue: 'mail', groups: ['eve'] })),
      )
      const ids = tasks.map(({ id }) => id).sort((a, b) => Number(a) - Number(b))
      const held = action === 'kill' ? await engine.claim('mail', { limit: 3 }) : []
      const last = held.find(({ id }) => id === ids[2])
      const holder = await member(engine, connect)
      const driver = await member(engine, connect)
      const worker = await member(engine, connect)
      const operation = await engine.startOperation(action, { queue: 'mail' }, given)

      // The middle one is held, so the operation gets as far as it and no further.
      await holder.rows('begin')
      await holder.rows('select from tasks where id = $1 for update', ids[1])
      const driven = driver.advanceOperation(operation)
      await waitsForLock(engine, driver)
      // Takes the last one, and then the group: the operation must not hold that yet.
      await worker.rows(`set lock_timeout = '60s'`)
      if (last === undefined) expect(await worker.claim('mail', { limit: 3 })).toHaveLength(1)
      else await worker.complete(last)
      await holder.rows('commit')

      expect(await driven).toMatchObject({ state: 'done', matched: 3, done: 2, refused: 1 })
      expect(await faultsIn(engine)).toEqual([])
    },
  )
})

describe('rescue', () => {
  test('takes nothing from a worker whose completion is under way, and forgets nothing if it fails', async ({
    engine,
    connect,
  }) => {
    // Two calls: tasks of one call may share a row.
    await engine.enqueue({ queue: 'mail' })
    await engine.enqueue({ queue: 'mail' })
    const [late] = await engine.claim('mail', { limit: 2 })
    await engine.pass('16 seconds')
    const worker = await member(engine, connect)

    await worker.rows('begin')
    // Holds the task and not yet the lease, as complete() does half-way.
    await worker.rows('delete from tasks where id = $1', late?.id)
    const rescued = await engine.rescue()
    await worker.rows('rollback')

    expect(rescued.map(({ id }) => id)).not.toContain(late?.id)
    expect(await faultsIn(engine)).toEqual([])
    expect((await engine.rescue()).map(({ id }) => id)).toEqual([late?.id])
    expect(await engine.rows('select from claims')).toEqual([])
  })
})

describe('heartbeat', () => {
  test('does not wait in a circle with the completion of what it reports as started', async ({
    engine,
    connect,
  }) => {
    await engine.rows(`select register_worker('w', array['mail'], 1, 'host', 1, '1')`)
    const task = await engine.running({}, { worker: 'w' })
    const worker = await member(engine, connect)

    await worker.rows('begin')
    await worker.rows('delete from tasks where id = $1', task.id)
    const lost = await engine.rows(
      `select lost from heartbeat('w', array[$1::bigint], array[$2::bigint], array[$1::bigint])`,
      task.id,
      task.claim,
    )
    await worker.rows('rollback')

    expect(lost).toEqual([{ lost: [] }])
  })
})

describe('groups', () => {
  test('are locked in one order by those who claim and those who end', async ({
    engine,
    connect,
  }) => {
    // The queue counts as the group @mail, and a name may sort before that.
    await engine.setQueue('mail', { max_running: 10 })
    await engine.setGroup('42', { max_running: 10 })
    const task = await engine.running({ groups: ['42'] })
    await engine.enqueue({ queue: 'mail', groups: ['42'] })
    const holder = await member(engine, connect)
    const completer = await member(engine, connect)
    const claimer = await member(engine, connect)

    await holder.rows('begin')
    await holder.rows(`select from groups where name = '@mail' for update`)
    const claimed = claimer.claim('mail')
    await waitsForLock(engine, claimer)
    const completed = completer.complete(task)
    await waitsForLock(engine, completer)
    await holder.rows('commit')

    await completed
    expect(await claimed).toHaveLength(1)
    expect(await faultsIn(engine)).toEqual([])
  })

  test('are locked in one order however many looks a claim takes', async ({ engine, connect }) => {
    for (const group of ['a', 'b']) await engine.setGroup(group, { max_running: 5 })
    // One claimer meets b and then a, the other a and then b: each lane is a look of its own.
    await engine.enqueueMany([
      { queue: 'one', groups: ['b'], priority: 1 },
      { queue: 'one', groups: ['a'] },
      { queue: 'two', groups: ['a'], priority: 1 },
      { queue: 'two', groups: ['b'] },
    ])
    const first = await member(engine, connect)
    const second = await member(engine, connect)

    const claims = await Promise.all(
      range(40).map(async (index) => {
        const session = index % 2 === 0 ? first : second
        const tasks = await session.claim(index % 2 === 0 ? 'one' : 'two', { limit: 2 })
        await session.release(tasks)
        return tasks.length
      }),
    )

    expect(claims).toHaveLength(40)
    expect(await faultsIn(engine)).toEqual([])
  })
})
