import { describe, expect } from 'vitest'
import { durableVerbs } from '../support/durable.ts'
import { test } from '../support/engine.ts'

const join = (...children: string[]) => ({ kind: 'children', children })
const errorOf = (message: string) => ({ code: 'x', message })

describe('spawn', () => {
  test('starts each child once, however often the parent runs', async ({ engine }) => {
    const { spawn } = durableVerbs(engine)
    const parent = await engine.running()

    const first = await spawn(parent, { pack: { queue: 'pack' }, label: { queue: 'label' } })
    const second = await spawn(parent, { pack: { queue: 'pack' }, ship: { queue: 'ship' } })

    expect(second[0]).toBe(first[0])
    expect(await engine.value('select count(*)::int from tasks')).toBe(4)
    expect(await engine.task(first[0] ?? '')).toMatchObject({ parent: parent.id })
  })

  test('wakes the parent with the last of its children', async ({ engine }) => {
    const { spawn, suspend } = durableVerbs(engine)
    const parent = await engine.running()
    await spawn(parent, { a: { queue: 'work' }, b: { queue: 'work' } })
    expect(await suspend(parent, join('a', 'b'))).toEqual([])

    await engine.complete(await engine.claimOne('work'), 1)
    expect(await engine.task(parent.id)).toMatchObject({ state: 'waiting' })
    await engine.complete(await engine.claimOne('work'), 2)

    const again = await engine.claimOne('mail')
    expect(await suspend(again, join('a', 'b'))).toMatchObject([
      { name: 'a', state: 'done', output: 1 },
      { name: 'b', state: 'done', output: 2 },
    ])
  })

  test('wakes the parent when many end with one statement', async ({ engine }) => {
    const { spawn, suspend } = durableVerbs(engine)
    const parent = await engine.running()
    const names = Array.from({ length: 50 }, (_, n) => `child ${n}`)
    await spawn(parent, Object.fromEntries(names.map((name) => [name, { queue: 'work' }])))
    await suspend(parent, join(...names))

    await engine.completeMany(await engine.claim('work', { limit: 50 }))

    expect(await engine.claimOne('mail')).toMatchObject({ id: parent.id })
    expect(await engine.rows('select from awaits')).toEqual([])
  })

  test.for([
    [{ mode: 'all' }, false, true],
    [{ mode: 'all' }, true, false],
    [{ mode: 'all', on_failure: 'collect' }, false, false],
    [{ mode: 'any' }, true, true],
    [{ mode: 'any' }, false, false],
    [{ mode: 'race' }, true, true],
    [{ mode: 'race' }, false, true],
  ] as const)(
    'join %j, first child succeeds: %s, wakes: %s',
    async ([how, succeeds, wakes], { engine }) => {
      const { spawn, suspend } = durableVerbs(engine)
      const parent = await engine.running()
      await spawn(parent, { a: { queue: 'work', max_attempts: 1 }, b: { queue: 'work' } })
      await suspend(parent, { ...join('a', 'b'), ...how })

      const child = await engine.claimOne('work')
      if (succeeds) await engine.complete(child)
      else await engine.fail(child, errorOf('broken'))

      expect((await engine.claim('mail')).map(({ id }) => id)).toEqual(wakes ? [parent.id] : [])
    },
  )

  test('ends all children with a cancelled parent, but for those detached', async ({ engine }) => {
    const { spawn } = durableVerbs(engine)
    const parent = await engine.running()
    const [child = ''] = await spawn(parent, { a: { queue: 'work' } })
    const running = await engine.claimOne('work')
    const [grandchild = ''] = await spawn(running, { b: { queue: 'deep' } })
    const [detached] = await engine.rows<{ child: string }>(
      `select child::text from spawn($1, $2, '{free}', '[{"queue": "work"}]', '{true}')`,
      parent.id,
      parent.claim,
    )

    await engine.cancel(parent.id)

    for (const id of [parent.id, child, grandchild]) {
      expect(await engine.task(id)).toMatchObject({ state: 'cancelled' })
    }
    expect(await engine.task(detached?.child ?? '')).toMatchObject({ state: 'ready' })
  })

  test('rejects a child that would be its own parent, and one that comes after others', async ({
    engine,
  }) => {
    const { spawn } = durableVerbs(engine)
    const parent = await engine.running({ key: 'one' })

    await expect(spawn(parent, { a: { queue: 'mail', key: 'one' } })).rejects.toMatchObject({
      message: expect.stringContaining('would wait for itself'),
    })
    await expect(spawn(parent, { a: { queue: 'mail', after: [parent.id] } })).rejects.toMatchObject(
      {
        message: expect.stringContaining('cannot come after'),
      },
    )
    expect(await engine.rows('select from steps')).toEqual([])
  })

  test('rejects the 1,001st spawn of a line', async ({ engine }) => {
    const { spawn } = durableVerbs(engine)
    const parent = await engine.running()
    await spawn(parent, { a: { queue: 'work' } })
    const child = await engine.claimOne('work')
    await spawn(child, { b: { queue: 'work' } })
    await engine.rows('update steps set depth = 1000 where task = $1', parent.id)

    await expect(spawn(child, { c: { queue: 'work' } })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('1000'),
    })
  })

  test('a retried child wakes the parent that waits for it', async ({ engine }) => {
    const { spawn, suspend } = durableVerbs(engine)
    const parent = await engine.running()
    const [a = ''] = await spawn(parent, {
      a: { queue: 'work', max_attempts: 1 },
      b: { queue: 'later' },
    })
    await engine.fail(await engine.claimOne('work'), errorOf('broken'))
    await suspend(parent, { ...join('a', 'b'), on_failure: 'collect' })

    await engine.retry(a)
    await engine.complete(await engine.claimOne('later'))
    expect(await engine.claim('mail')).toEqual([])
    await engine.complete(await engine.claimOne('work'), 'fixed')

    const again = await engine.claimOne('mail')
    expect(await suspend(again, join('a', 'b'))).toMatchObject([
      { state: 'done', output: 'fixed' },
      { state: 'done' },
    ])
  })
})

describe('after', () => {
  test('waits for all tasks it comes after', async ({ engine }) => {
    const a = await engine.enqueue({ queue: 'work' })
    const b = await engine.enqueue({ queue: 'work' })
    const { id } = await engine.enqueue({ queue: 'report', after: [a.id, b.id] })
    expect(await engine.task(id)).toMatchObject({ state: 'waiting', waits: { after: { left: 2 } } })

    await engine.complete(await engine.claimOne('work'))
    expect(await engine.claim('report')).toEqual([])
    await engine.complete(await engine.claimOne('work'))

    expect(await engine.claimOne('report')).toMatchObject({ id })
  })

  test('waits for its own time as well', async ({ engine }) => {
    const a = await engine.enqueue({ queue: 'work' })
    const runAt = new Date(Date.now() + 3_600_000)
    const { id } = await engine.enqueue({ queue: 'report', after: [a.id], runAt })

    await engine.complete(await engine.claimOne('work'))

    expect(await engine.task(id)).toMatchObject({ state: 'scheduled', run_at: runAt })
  })

  test.for([
    [undefined, 'failed', 'dependency'],
    ['fail', 'failed', 'dependency'],
    ['skip', 'cancelled', 'dependency'],
    ['run', 'ready', null],
  ] as const)(
    'with %s, after a failure, is %s',
    async ([afterFailure, state, reason], { engine }) => {
      const a = await engine.enqueue({ queue: 'work', maxAttempts: 1 })
      const b = await engine.enqueue({ queue: 'report', after: [a.id], afterFailure })
      const c = await engine.enqueue({ queue: 'report', after: [b.id], afterFailure: 'skip' })

      await engine.fail(await engine.claimOne('work'), errorOf('broken'))

      expect(await engine.task(b.id)).toMatchObject({ state, reason })
      expect(await engine.task(c.id)).toMatchObject({
        state: state === 'ready' ? 'waiting' : 'cancelled',
      })
    },
  )

  test('counts tasks that had ended before', async ({ engine }) => {
    const done = await engine.inState('done')
    const failed = await engine.inState('failed')

    const one = await engine.enqueue({ queue: 'report', after: [done.id] })
    const two = await engine.enqueue({ queue: 'report', after: [done.id, failed.id] })

    expect(await engine.task(one.id)).toMatchObject({ state: 'ready' })
    expect(await engine.task(two.id)).toMatchObject({ state: 'failed', reason: 'dependency' })
  })

  test('fails a line of 1,000 tasks when the first fails', async ({ engine }) => {
    let { id } = await engine.enqueue({ queue: 'work', maxAttempts: 1 })
    for (let n = 0; n < 1_000; n++) ({ id } = await engine.enqueue({ queue: 'line', after: [id] }))

    await engine.fail(await engine.claimOne('work'), errorOf('broken'))

    expect(await engine.task(id)).toMatchObject({ state: 'failed', reason: 'dependency' })
    expect(await engine.rows('select from tasks')).toEqual([])
    expect(await engine.rows('select from awaits')).toEqual([])
  })

  test('rejects tasks that do not exist, and what is not a list of ids', async ({ engine }) => {
    await expect(engine.enqueue({ queue: 'x', after: ['999999'] })).rejects.toMatchObject({
      code: 'task_not_found',
      message: expect.stringContaining('comes after task 999999, which does not exist'),
    })
    await expect(engine.enqueue({ queue: 'x', after: [] })).rejects.toMatchObject({
      message: expect.stringContaining('after must be a list'),
    })
    await expect(engine.enqueue({ queue: 'x', after: ['ada'] })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    await expect(engine.enqueue({ queue: 'x', afterFailure: 'run' })).rejects.toMatchObject({
      message: expect.stringContaining('after_failure needs after'),
    })
    expect(await engine.rows('select from tasks')).toEqual([])
  })

  test('splits packs that it waits for', async ({ engine }) => {
    const made = await engine.enqueueMany(Array.from({ length: 20 }, () => ({ queue: 'work' })))
    const after = made.map(({ id }) => id)
    const { id } = await engine.enqueue({ queue: 'report', after })

    await engine.completeMany(await engine.claim('work', { limit: 20 }))

    expect(await engine.claimOne('report')).toMatchObject({ id })
  })

  test('a batch runs its final task last', async ({ engine }) => {
    const rows = await engine.rows<{ id: string }>(
      `select enqueue_batch::text as id from enqueue_batch('[{"queue": "page"}, {"queue": "page"}]', '{"queue": "book"}')`,
    )
    await engine.completeMany(await engine.claim('page', { limit: 2 }))

    expect(await engine.claimOne('book')).toMatchObject({ id: rows[2]?.id })
  })
})
