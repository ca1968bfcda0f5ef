import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('extend', () => {
  test('moves the lease of a whole claim, from now', async ({ engine }) => {
    const task = await engine.running()
    await engine.pass('10 seconds', task.id)

    const held = await engine.extend([task.claim], '1 minute')

    expect(held).toEqual([task.claim])
    await engine.pass('50 seconds', task.id)
    expect(await engine.rescue()).toEqual([])
  })

  test('moves many leases at once', async ({ engine }) => {
    const tasks = [await engine.running(), await engine.running()]
    const claims = tasks.map(({ claim }) => claim)
    await engine.pass('14 seconds')

    const held = await engine.extend(claims)

    expect(new Set(held)).toEqual(new Set(claims))
    await engine.pass('14 seconds')
    expect(await engine.rescue()).toEqual([])
  })

  test('leaves the leases of others alone', async ({ engine }) => {
    const mine = await engine.running()
    const other = await engine.running()

    await engine.extend([mine.claim], '1 hour')

    await engine.pass('31 seconds')
    expect(await engine.rescue()).toMatchObject([{ id: other.id }])
  })

  test.for(['queued', 'done', 'failed', 'cancelled', 'gone'] as const)(
    'does not give back the claim of a task that is %s',
    async (state, { engine }) => {
      const task = await engine.inState(state)

      expect(await engine.extend([task.claim])).toEqual([])
    },
  )

  test('does not give back a claim that was rescued', async ({ engine }) => {
    const task = await engine.running()
    await engine.pass('31 seconds')
    await engine.rescue()

    expect(await engine.extend([task.claim])).toEqual([])
  })

  test('refuses a lease that is over before it begins', async ({ engine }) => {
    const task = await engine.running()

    await expect(engine.extend([task.claim], '0')).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.any(String),
    })
  })
})
