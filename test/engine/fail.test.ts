import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('fail', () => {
  test('sends the task back to wait for its next attempt', async ({ engine }) => {
    const task = await engine.running()

    const answer = await engine.fail(task, { message: 'no connection' })

    expect(answer).toMatchObject({ state: 'queued', run_at: expect.any(Date) })
    expect(await engine.task(task.id)).toMatchObject({
      state: 'retrying',
      attempt: 1,
      claim: null,
      run_at: answer.run_at,
    })
    expect(await engine.claim('mail')).toEqual([])
  })

  test('lets the task be claimed again once its delay is over', async ({ engine }) => {
    const task = await engine.running()
    await engine.fail(task)

    await engine.pass('3 seconds', task.id)

    expect(await engine.claimOne('mail')).toMatchObject({ id: task.id, attempt: 2 })
  })

  test('counts the delay from the failure, not from when the task was made', async ({ engine }) => {
    const task = await engine.running()
    await engine.pass('10 minutes', task.id)

    await engine.fail(task)

    expect(await engine.task(task.id)).toMatchObject({ state: 'retrying' })
  })

  test('ends the task with its last attempt', async ({ engine }) => {
    const task = await engine.running({ maxAttempts: 1 }, { worker: 'w1' })

    const answer = await engine.fail(task, { message: 'no connection' })

    expect(answer).toEqual({ state: 'failed', run_at: null })
    expect(await engine.task(task.id)).toMatchObject({
      state: 'failed',
      reason: 'error',
      attempt: 1,
      worker: 'w1',
      error: { message: 'no connection' },
    })
  })

  test('runs a task as often as its queue allows, and no more', async ({ engine }) => {
    await engine.setQueue('mail', { max_attempts: 2, backoff: { kind: 'none' } })
    await engine.fail(await engine.running())

    const answer = await engine.fail(await engine.claimOne('mail'))

    expect(answer).toMatchObject({ state: 'failed' })
    expect(await engine.claim('mail')).toEqual([])
  })

  test('ends the task at once when trying again would not help', async ({ engine }) => {
    const task = await engine.running()

    const answer = await engine.fail(task, null, { retry: false })

    expect(answer).toMatchObject({ state: 'failed' })
    expect(await engine.task(task.id)).toMatchObject({ state: 'failed', attempt: 1 })
  })

  test('waits for the given delay rather than by its backoff', async ({ engine }) => {
    const task = await engine.running()

    await engine.fail(task, null, { delay: '1 hour' })

    await engine.pass('59 minutes', task.id)
    expect(await engine.task(task.id)).toMatchObject({ state: 'retrying' })
    await engine.pass('1 minute', task.id)
    expect(await engine.task(task.id)).toMatchObject({ state: 'ready' })
  })

  test('tells a timeout from an error', async ({ engine }) => {
    const task = await engine.running({ maxAttempts: 1 })

    await engine.fail(task, { message: 'took too long' }, { reason: 'timeout' })

    expect(await engine.task(task.id)).toMatchObject({ state: 'failed', reason: 'timeout' })
  })

  test('keeps a record of every attempt: who, when, how long and why', async ({ engine }) => {
    const task = await engine.running({}, { worker: 'w1' })
    await engine.fail(task, { message: 'first' }, { delay: '0' })
    await engine.fail(await engine.claimOne('mail', { worker: 'w2' }), { message: 'second' })

    const attempts = await engine.rows('select * from attempt order by attempt')

    expect(attempts).toMatchObject([
      { task: task.id, attempt: 1, worker: 'w1', reason: 'error', error: { message: 'first' } },
      { task: task.id, attempt: 2, worker: 'w2', reason: 'error', error: { message: 'second' } },
    ])
    expect(attempts[0]).toMatchObject({ started_at: expect.any(Date), took: expect.anything() })
  })

  test('gives the lease back', async ({ engine }) => {
    const task = await engine.running()

    await engine.fail(task)

    expect(await engine.rows('select from claims')).toEqual([])
    expect(await engine.extend([task.claim])).toEqual([])
  })

  test.for(['queued', 'done', 'failed', 'cancelled'] as const)(
    'refuses a task that is %s',
    async (state, { engine }) => {
      const task = await engine.inState(state)
      const before = await engine.task(task.id)

      await expect(engine.fail(task)).rejects.toMatchObject({ code: 'lease_lost' })

      expect(await engine.task(task.id)).toEqual(before)
    },
  )

  test('refuses a task that is gone', async ({ engine }) => {
    const task = await engine.inState('gone')

    await expect(engine.fail(task)).rejects.toMatchObject({ code: 'task_not_found' })
  })

  test('refuses a worker whose task went to another', async ({ engine }) => {
    const late = await engine.running()
    await engine.pass('31 seconds', late.id)
    await engine.rescue()
    const current = await engine.claimOne('mail')

    await expect(engine.fail(late)).rejects.toMatchObject({ code: 'lease_lost' })

    expect(await engine.task(late.id)).toMatchObject({ state: 'running', claim: current.claim })
  })

  test.for(['lost', 'expired', 'because'])(
    'refuses %s, a reason that is not the worker’s to give',
    async (reason, { engine }) => {
      const task = await engine.running()

      await expect(
        engine.rows('select fail($1, $2, null, $3)', task.id, task.claim, reason),
      ).rejects.toMatchObject({ code: 'invalid_argument', hint: expect.any(String) })
    },
  )
})
