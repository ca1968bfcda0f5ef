import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const inAnHour = () => new Date(Date.now() + 3_600_000)

describe('retry', () => {
  test.for(['done', 'failed', 'cancelled'] as const)(
    'brings back a task that is %s, with all its attempts',
    async (state, { engine }) => {
      const { id } = await engine.inState(state)

      await engine.retry(id)

      expect(await engine.task(id)).toMatchObject({ state: 'ready', reason: null, attempt: 0 })
      expect(await engine.claimOne('mail')).toMatchObject({ id, attempt: 1 })
      expect(await engine.rows('select from finished')).toEqual([])
    },
  )

  test('keeps everything the task was given', async ({ engine }) => {
    const given = { handler: 'h', priority: 3, tags: ['x'], version: 2, meta: { a: 1 } }
    const task = await engine.running({ ...given, payload: { to: 'ada' }, maxAttempts: 2 })
    await engine.kill(task)

    await engine.retry(task.id)

    expect(await engine.task(task.id)).toMatchObject({
      ...given,
      payload: { to: 'ada' },
      max_attempts: 2,
      created_at: task.created_at,
    })
  })

  test('keeps the record of the attempts before', async ({ engine }) => {
    const { id } = await engine.inState('failed')

    await engine.retry(id)

    expect(await engine.rows('select task, reason from attempt')).toEqual([
      { task: id, reason: 'killed' },
    ])
  })

  test('waits until the time it is given', async ({ engine }) => {
    const { id } = await engine.inState('failed')
    const runAt = inAnHour()

    await engine.retry(id, runAt)

    expect(await engine.task(id)).toMatchObject({ state: 'scheduled', run_at: runAt })
  })

  test('takes a corrected payload', async ({ engine }) => {
    const { id } = await engine.inState('failed')

    await engine.rows(`select retry($1, p_payload => '{"to": "bob"}')`, id)

    expect(await engine.claimOne('mail')).toMatchObject({ id, payload: { to: 'bob' } })
  })

  test('does not let a deadline that is over end the task again', async ({ engine }) => {
    const deadline = new Date(Date.now() + 60_000)
    const { id } = await engine.enqueue({ queue: 'mail', deadline })
    await engine.pass('61 seconds', id)
    await engine.expire()

    await engine.retry(id)

    expect(await engine.expire()).toEqual([])
    expect(await engine.claimOne('mail')).toMatchObject({ id })
  })

  test('takes its key again', async ({ engine }) => {
    const task = await engine.running({ key: 'ada' })
    await engine.complete(task)
    await engine.retry(task.id)

    const other = await engine.enqueue({ queue: 'mail', key: 'ada' })

    expect(other).toEqual({ id: task.id, outcome: 'kept' })
  })

  test('is refused while another task holds its key', async ({ engine }) => {
    const task = await engine.running({ key: 'ada' })
    await engine.complete(task)
    const other = await engine.enqueue({ queue: 'mail', key: 'ada' })

    await expect(engine.retry(task.id)).rejects.toMatchObject({
      code: 'key_taken',
      message: `the key ada of task ${task.id} is held by task ${other.id}`,
      hint: expect.any(String),
    })

    expect(await engine.task(task.id)).toMatchObject({ state: 'done' })
  })

  test.for(['queued', 'running'] as const)(
    'refuses a task that is %s',
    async (state, { engine }) => {
      const { id } = await engine.inState(state)
      const before = await engine.task(id)

      await expect(engine.retry(id)).rejects.toMatchObject({
        code: 'wrong_state',
        message: `task ${id} is ${state} and cannot be retried`,
      })

      expect(await engine.task(id)).toEqual(before)
    },
  )

  test('refuses a task that is gone', async ({ engine }) => {
    const { id } = await engine.inState('gone')

    await expect(engine.retry(id)).rejects.toMatchObject({ code: 'task_not_found' })
  })

  test('refuses a payload above the limit, and leaves the task as it was', async ({ engine }) => {
    const { id } = await engine.inState('failed')
    await engine.setQueue('mail', { max_payload: 100 })

    await expect(
      engine.rows('select retry($1, p_payload => to_jsonb($2::text))', id, 'x'.repeat(200)),
    ).rejects.toMatchObject({ code: 'payload_too_large' })

    expect(await engine.task(id)).toMatchObject({ state: 'failed' })
  })
})
