import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'
import type { TestEngine } from '../support/test-engine.ts'

const attempts = (engine: TestEngine) =>
  engine.rows('select attempt, payload from attempt order by ended_at')

describe('the payload that an attempt ran with', () => {
  test('is kept when a retry replaces it', async ({ engine }) => {
    const task = await engine.running({ payload: { to: 'ada' }, maxAttempts: 1 })
    await engine.fail(task)

    await engine.rows(`select retry($1, p_payload => '{"to": "bob"}')`, task.id)

    expect(await attempts(engine)).toEqual([{ attempt: 1, payload: { to: 'ada' } }])
  })

  test('is kept when amend() replaces it, once for the attempts that ran with it', async ({
    engine,
  }) => {
    const first = await engine.running({ payload: 1, maxAttempts: 5 })
    await engine.fail(first, null, { delay: '0' })
    const second = await engine.claimOne('mail')
    await engine.fail(second, null, { delay: '0' })

    await engine.amend(first.id, { payload: 2 })
    await engine.amend(first.id, { payload: 3 })

    expect(await attempts(engine)).toEqual([
      { attempt: 1, payload: null },
      { attempt: 2, payload: 1 },
    ])
  })

  test('is not kept when it stays, or when no attempt ran with it', async ({ engine }) => {
    const task = await engine.running({ payload: 1, maxAttempts: 1 })
    await engine.fail(task)
    await engine.amend(task.id, { payload: 1, tags: ['a'] })
    await engine.rows('select retry($1)', task.id)

    expect(await attempts(engine)).toEqual([{ attempt: 1, payload: null }])
  })

  test('is gone with its task', async ({ engine }) => {
    const task = await engine.running({ payload: 'secret', maxAttempts: 1 })
    await engine.fail(task)
    await engine.amend(task.id, { payload: 'other' })

    await engine.delete(task.id)

    expect(await engine.rows('select from attempts')).toEqual([])
  })
})
