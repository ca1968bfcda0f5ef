import { describe, expect } from 'vitest'
import { faultsIn } from '../support/books.ts'
import { test } from '../support/engine.ts'

const soon = new Date(Date.now() + 60_000)

describe('a task whose key is taken', () => {
  test('is not created, and the one there stays as it is', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', key: 'k', payload: 1 })

    const again = await engine.enqueue({ queue: 'mail', key: 'k', payload: 2, onDuplicate: 'keep' })

    expect(again).toEqual({ id, outcome: 'kept' })
    expect(await engine.task(id)).toMatchObject({ payload: 1 })
  })

  test('is created in another queue, and beside other keys', async ({ engine }) => {
    await engine.enqueue({ queue: 'mail', key: 'k' })

    expect(await engine.enqueue({ queue: 'letters', key: 'k' })).toMatchObject({
      outcome: 'created',
    })
    expect(await engine.enqueue({ queue: 'mail', key: 'K' })).toMatchObject({ outcome: 'created' })
    expect(await engine.enqueue({ queue: 'mail' })).toMatchObject({ outcome: 'created' })
  })

  test.for(['replace', 'debounce'] as const)(
    'with %s brings its deadline along, so that the task is not put off beyond the old one',
    async (onDuplicate, { engine }) => {
      const often = { queue: 'mail', key: 'k', onDuplicate, window: '1 hour' } as const
      const within = (minutes: number) => new Date(Date.now() + minutes * 60_000)
      const { id } = await engine.enqueue({ ...often, deadline: within(70) })

      await engine.enqueue({ ...often, deadline: within(130) })
      await engine.pass('80 minutes', id)

      expect(await engine.rows('select * from expire()')).toEqual([])
      expect(await engine.claimOne('mail')).toMatchObject({ id })

      await engine.enqueue({ ...often, queue: 'post', deadline: within(70) })
      await engine.enqueue({ ...often, queue: 'post' })
      expect(
        await engine.value(`select deadline is not null from tasks where queue = 'post'`),
      ).toBe(true)
    },
  )

  test('replaces what the one there carries', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', key: 'k', payload: 1, priority: 3 })

    const again = await engine.enqueue({
      queue: 'mail',
      key: 'k',
      payload: 2,
      version: 7,
      priority: 9,
      runAt: soon,
      onDuplicate: 'replace',
    })

    expect(again).toEqual({ id, outcome: 'replaced' })
    expect(await engine.task(id)).toMatchObject({
      payload: 2,
      version: 7,
      priority: 9,
      run_at: soon,
    })
  })

  test('can be claimed by the priority it was given', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', key: 'k' })
    await engine.enqueue({ queue: 'mail', key: 'k', priority: 42, onDuplicate: 'replace' })

    expect(await engine.claim('mail')).toMatchObject([{ id, priority: 42 }])
  })

  test('changes nothing about one that runs', async ({ engine }) => {
    const task = await engine.running({ key: 'k', payload: 1 })
    const other = { queue: 'mail', key: 'k', payload: 2 }

    expect(await engine.enqueue({ ...other, onDuplicate: 'replace' })).toEqual({
      id: task.id,
      outcome: 'kept',
    })
    expect(
      await engine.enqueue({ ...other, onDuplicate: 'debounce', window: '1 minute' }),
    ).toMatchObject({ outcome: 'kept' })
    expect(await engine.task(task.id)).toMatchObject({ state: 'running', payload: 1 })
  })
})

describe('debounce', () => {
  const debounced = (payload: number) =>
    ({ queue: 'mail', key: 'k', payload, onDuplicate: 'debounce', window: '1 minute' }) as const

  test('waits until nothing more has come for a window, and takes the last', async ({ engine }) => {
    const { id } = await engine.enqueue(debounced(1))
    await engine.pass('59 seconds')
    expect(await engine.enqueue(debounced(2))).toEqual({ id, outcome: 'debounced' })

    await engine.pass('59 seconds')
    const early = await engine.claim('mail')
    await engine.pass('1 second')

    expect(early).toEqual([])
    expect(await engine.claim('mail')).toMatchObject([{ id, payload: 2 }])
  })
})

describe('throttle', () => {
  const throttled = {
    queue: 'mail',
    key: 'k',
    onDuplicate: 'throttle',
    window: '1 minute',
  } as const

  test('creates nothing more within the window, even after the first has ended', async ({
    engine,
  }) => {
    const task = await engine.running(throttled)
    const running = await engine.enqueue(throttled)
    await engine.complete(task)
    const ended = await engine.enqueue(throttled)
    await engine.pass('1 minute')
    const after = await engine.enqueue(throttled)

    expect([running, ended]).toEqual(Array(2).fill({ id: task.id, outcome: 'throttled' }))
    expect(after.outcome).toBe('created')
    expect(after.id).not.toBe(task.id)
  })

  test('keeps the one there when it outlives its window', async ({ engine }) => {
    const { id } = await engine.enqueue(throttled)
    await engine.pass('1 minute')

    expect(await engine.enqueue(throttled)).toEqual({ id, outcome: 'kept' })
  })
})

describe('the key of a task', () => {
  test('is free once the task has ended, however it ended', async ({ engine }) => {
    const ends = [
      (task: { id: string; claim: string }) => engine.complete(task),
      (task: { id: string; claim: string }) => engine.kill(task),
      (task: { id: string; claim: string }) => engine.cancel(task.id),
      (task: { id: string; claim: string }) => engine.delete(task.id),
    ]
    for (const end of ends) {
      const task = await engine.running({ key: 'k' })
      await end(task)
    }

    expect(await engine.rows('select from keys')).toEqual([])
    expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toMatchObject({ outcome: 'created' })
  })

  test('stays taken while the task fails and comes back', async ({ engine }) => {
    const task = await engine.running({ key: 'k' })

    await engine.fail(task, null, { delay: '1 hour' })

    expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toEqual({
      id: task.id,
      outcome: 'kept',
    })
  })

  test('is free from the claim on when the task says so', async ({ engine }) => {
    const task = await engine.running({ key: 'k', freesKey: true })

    const next = await engine.enqueue({ queue: 'mail', key: 'k' })
    await engine.complete(task)

    expect(next.outcome).toBe('created')
    expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toEqual({
      id: next.id,
      outcome: 'kept',
    })
    expect(await faultsIn(engine)).toEqual([])
  })

  test('stays taken by finished tasks in a queue that keeps keys', async ({ engine }) => {
    await engine.setQueue('mail', { keeps_keys: true })
    const task = await engine.running({ key: 'k' })
    await engine.complete(task)

    const kept = await engine.enqueue({ queue: 'mail', key: 'k' })
    await engine.delete(task.id)

    expect(kept).toEqual({ id: task.id, outcome: 'kept' })
    expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toMatchObject({ outcome: 'created' })
  })

  test.for([
    ['kept', false, true],
    ['created', true, false],
  ] as const)(
    'is %s when its queue keeps keys: first %s, at the end %s',
    async ([outcome, first, last], { engine }) => {
      await engine.setQueue('mail', { keeps_keys: first })
      const [one, two] = [
        await engine.running({ key: 'one' }),
        await engine.running({ key: 'two' }),
      ]
      const more = await engine.running({ key: 'more' })
      await engine.setQueue('mail', { keeps_keys: last })

      await engine.complete(one)
      await engine.completeMany([two, more])

      for (const key of ['one', 'two', 'more'])
        expect(await engine.enqueue({ queue: 'mail', key })).toMatchObject({ outcome })
      expect(await faultsIn(engine)).toEqual([])
    },
  )

  test('that is throttled stays taken beyond its window if its queue keeps keys', async ({
    engine,
  }) => {
    await engine.setQueue('mail', { keeps_keys: true })
    const throttled = { key: 'k', onDuplicate: 'throttle', window: '1 minute' } as const
    const task = await engine.running(throttled)
    await engine.complete(task)
    await engine.pass('1 hour')
    await engine.sweep()

    expect(await engine.enqueue({ queue: 'mail', ...throttled })).toEqual({
      id: task.id,
      outcome: 'kept',
    })
  })

  test('is free once a finished task that kept it is swept', async ({ engine }) => {
    await engine.setQueue('mail', { keeps_keys: true, keep_done: '1 hour' })
    await engine.complete(await engine.running({ key: 'k' }))
    await engine.pass('1 hour')

    await engine.sweep()

    expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toMatchObject({ outcome: 'created' })
  })
})

describe('retry', () => {
  test('takes the key again', async ({ engine }) => {
    const task = await engine.running({ key: 'k' })
    await engine.kill(task)

    await engine.retry(task.id)

    expect(await engine.enqueue({ queue: 'mail', key: 'k' })).toEqual({
      id: task.id,
      outcome: 'kept',
    })
    expect(await faultsIn(engine)).toEqual([])
  })

  test('is refused while another task has the key, and leaves both as they are', async ({
    engine,
  }) => {
    const task = await engine.running({ key: 'k' })
    await engine.kill(task)
    const { id } = await engine.enqueue({ queue: 'mail', key: 'k' })

    await expect(engine.retry(task.id)).rejects.toMatchObject({ code: 'key_taken' })

    expect(await engine.task(task.id)).toMatchObject({ state: 'failed' })
    expect(await engine.task(id)).toMatchObject({ state: 'ready' })
  })

  test('works for a task whose own key was kept', async ({ engine }) => {
    await engine.setQueue('mail', { keeps_keys: true })
    const task = await engine.running({ key: 'k' })
    await engine.complete(task)

    await engine.retry(task.id)

    expect(await engine.claim('mail')).toMatchObject([{ id: task.id, attempt: 1 }])
    expect(await faultsIn(engine)).toEqual([])
  })
})
