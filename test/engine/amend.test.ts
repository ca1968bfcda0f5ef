import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const inAnHour = () => new Date(Date.now() + 3_600_000)

describe('amend', () => {
  test('changes what a waiting task is', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', payload: { to: 'ada' }, priority: 1 })
    const runAt = inAnHour()

    await engine.amend(id, { run_at: runAt.toISOString(), payload: { to: 'bob' }, priority: 7 })

    expect(await engine.task(id)).toMatchObject({
      state: 'scheduled',
      run_at: runAt,
      payload: { to: 'bob' },
      priority: 7,
    })
  })

  test('lets a task be claimed in its new lane', async ({ engine }) => {
    const first = await engine.enqueue({ queue: 'mail' })
    const { id } = await engine.enqueue({ queue: 'mail' })

    await engine.amend(id, { priority: 99 })

    expect(await engine.claim('mail', { limit: 2 })).toMatchObject([{ id }, { id: first.id }])
  })

  test('puts a default back for null', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', priority: 3, timeout: '1 minute' })

    await engine.amend(id, { priority: null, timeout: null })

    expect(await engine.task(id)).toMatchObject({ priority: 0, timeout: null })
  })

  test('moves a task to another group, and the next of the old one moves up', async ({
    engine,
  }) => {
    await engine.setGroup('one', { max_running: 1 })
    await engine.setGroup('two', { max_running: 1 })
    const runs = await engine.running({ groups: ['one'] })
    const second = await engine.enqueue({ queue: 'mail', groups: ['one'] })
    expect(await engine.claim('mail')).toEqual([])

    await engine.amend(second.id, { groups: ['two'] })

    expect(await engine.claimOne('mail')).toMatchObject({ id: second.id, groups: ['two'] })
    await engine.complete(runs)
    expect(await engine.value('select sum(running) from groups')).toBe('1')
  })

  test('takes no part of the line with it into the future', async ({ engine }) => {
    await engine.setGroup('one', { max_running: 1 })
    const [first, second] = await engine.enqueueMany([
      { queue: 'mail', groups: ['one'] },
      { queue: 'mail', groups: ['one'] },
    ])

    await engine.amend(first?.id ?? '', { run_at: inAnHour().toISOString() })

    expect(await engine.claimOne('mail')).toMatchObject({ id: second?.id })
  })

  test('of a running task changes only what comes after the run', async ({ engine }) => {
    const task = await engine.running()

    await engine.amend(task.id, { meta: { note: 'later' } })
    await expect(engine.amend(task.id, { groups: ['a'] })).rejects.toMatchObject({
      code: 'wrong_state',
      message: `task ${task.id} is running: its groups cannot be changed`,
    })

    await engine.complete(task)
    expect(await engine.task(task.id)).toMatchObject({ state: 'done', meta: { note: 'later' } })
  })

  test.for(['done', 'failed', 'cancelled'] as const)(
    'of a task that is %s changes what a retry begins with, and not its state',
    async (state, { engine }) => {
      const { id } = await engine.inState(state)

      await engine.amend(id, { payload: { n: 2 }, priority: 7, run_at: '2001-01-01Z' })

      expect(await engine.task(id)).toMatchObject({ state, payload: { n: 2 }, priority: 7 })
      await engine.retry(id)
      expect(await engine.task(id)).toMatchObject({
        state: 'ready',
        payload: { n: 2 },
        priority: 7,
      })
    },
  )

  test('judges a deadline that is over only when it is given anew', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail', deadline: inAnHour() })
    await engine.pass('2 hours')
    await engine.expire()

    await engine.amend(id, { priority: 3 })
    await expect(engine.amend(id, { deadline: '2000-01-01Z' })).rejects.toMatchObject({
      code: 'invalid_argument',
    })

    expect(await engine.task(id)).toMatchObject({ state: 'failed', reason: 'expired', priority: 3 })
  })

  test('lets the next claim see a new priority', async ({ engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    await engine.enqueue({ queue: 'mail', priority: 5 })

    await engine.amend(id, { priority: 9 })

    expect(await engine.claimOne('mail')).toMatchObject({ id })
  })

  test('refuses a task that is gone', async ({ engine }) => {
    const { id } = await engine.inState('gone')

    await expect(engine.amend(id, { priority: 1 })).rejects.toMatchObject({
      code: 'task_not_found',
    })
  })

  test.for([
    ['a name it does not know', { colour: 'red' }, 'colour'],
    ['a queue', { queue: 'post' }, 'queue'],
    ['a time that is none', { run_at: 'soon' }, 'soon'],
    ['a limit of nothing', { max_running: 0 }, 'max_running must be 1 or more'],
    ['a deadline before its time', { deadline: '2000-01-01Z' }, 'is over before it may run'],
    ['a group without a name', { groups: [''] }, 'empty name'],
    ['a backoff it does not know', { backoff: { kind: 'magic' } }, 'kind magic is unknown'],
  ] as const)('refuses %s, and changes nothing', async ([, changes, message], { engine }) => {
    const { id } = await engine.enqueue({ queue: 'mail' })
    const before = await engine.task(id)

    await expect(engine.amend(id, changes)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(message),
    })

    expect(await engine.task(id)).toEqual(before)
  })
})
