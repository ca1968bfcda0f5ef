import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('complete', () => {
  test('finishes a running task and keeps what it gave back', async ({ engine }) => {
    const task = await engine.running({ payload: { to: 'ada' } }, { worker: 'w1' })

    await engine.complete(task, { sent: true })

    expect(await engine.task(task.id)).toMatchObject({
      state: 'done',
      reason: null,
      attempt: 1,
      worker: 'w1',
      claim: null,
      payload: { to: 'ada' },
      output: { sent: true },
      error: null,
      finished_at: expect.any(Date),
    })
  })

  test('moves the task out of the hot table and gives its lease back', async ({ engine }) => {
    const task = await engine.running()

    await engine.complete(task)

    expect(await engine.rows('select from tasks')).toEqual([])
    expect(await engine.rows('select from claims')).toEqual([])
    expect(await engine.claim('mail')).toEqual([])
  })

  test('stores nothing for a task that gives nothing back', async ({ engine }) => {
    await engine.complete(await engine.running())
    await engine.completeMany([await engine.running()], [null])
    await engine.kill(await engine.running())

    expect(
      await engine.rows('select from finished where output is null and error is null'),
    ).toHaveLength(3)
  })

  test('keeps the lease of the others in its batch', async ({ engine }) => {
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'mail' }])
    const [first, second] = await engine.claim('mail', { limit: 2 })

    if (first) await engine.complete(first)

    expect(await engine.extend([second?.claim ?? ''])).toEqual([second?.claim])
    expect(await engine.task(second?.id ?? '')).toMatchObject({ state: 'running' })
  })

  test('takes the true start time from the worker', async ({ engine }) => {
    const task = await engine.running()
    const startedAt = new Date(task.lease_expires_at.getTime() - 1_000)

    await engine.rows('select complete($1, $2, null, $3)', task.id, task.claim, startedAt)

    expect(await engine.task(task.id)).toMatchObject({ started_at: startedAt })
  })

  test('counts a task as started when it was claimed, if no start was reported', async ({
    engine,
  }) => {
    const task = await engine.running()
    const claimed = await engine.task(task.id)

    await engine.complete(task)

    expect(await engine.task(task.id)).toMatchObject({ started_at: claimed?.claimed_at })
  })

  test('keeps the task as long as its queue says', async ({ engine }) => {
    await engine.setQueue('mail', { keep_done: '2 days', keep_failed: '9 days' })
    const task = await engine.running()

    await engine.complete(task)

    expect(
      await engine.value('select keep_until - finished_at = $1::interval from task', '2 days'),
    ).toBe(true)
  })

  test('lets the task itself say how long it is kept', async ({ engine }) => {
    const task = await engine.running({ retention: '3 hours' })

    await engine.complete(task)

    expect(
      await engine.value('select keep_until - finished_at = $1::interval from task', '3 hours'),
    ).toBe(true)
  })

  test('leaves nothing behind when its queue deletes on success', async ({ engine }) => {
    await engine.setQueue('mail', { keep_done: '0' })
    const task = await engine.running()

    await engine.complete(task)

    expect(await engine.task(task.id)).toBeNull()
  })

  test('still accepts a result whose lease ran out, while no other worker took the task', async ({
    engine,
  }) => {
    const task = await engine.running()
    await engine.pass('31 seconds', task.id)

    await engine.complete(task)

    expect(await engine.task(task.id)).toMatchObject({ state: 'done' })
  })

  test('refuses the result of a worker that lost its lease', async ({ engine }) => {
    const late = await engine.running()
    await engine.pass('31 seconds', late.id)
    await engine.rescue()
    const current = await engine.claimOne('mail')

    await expect(engine.complete(late, 'too late')).rejects.toMatchObject({ code: 'lease_lost' })

    expect(await engine.task(late.id)).toMatchObject({ state: 'running', claim: current.claim })
  })

  test.for(['queued', 'done', 'failed', 'cancelled'] as const)(
    'refuses a task that is %s',
    async (state, { engine }) => {
      const task = await engine.inState(state)
      const before = await engine.rows('select * from task')

      await expect(engine.complete(task)).rejects.toMatchObject({ code: 'lease_lost' })

      expect(await engine.rows('select * from task')).toEqual(before)
    },
  )

  test('refuses a task that is gone', async ({ engine }) => {
    const task = await engine.inState('gone')

    await expect(engine.complete(task)).rejects.toMatchObject({ code: 'task_not_found' })
  })

  test('refuses to end a queued task for a caller without a claim', async ({ engine }) => {
    const { id } = await engine.inState('queued')

    await expect(engine.rows('select complete($1, null)', id)).rejects.toMatchObject({
      code: 'lease_lost',
    })

    expect(await engine.task(id)).toMatchObject({ state: 'ready' })
  })
})
