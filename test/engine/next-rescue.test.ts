import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const seconds = 'select extract(epoch from next_rescue())::float8'

describe('next_rescue', () => {
  test('says nothing while nothing is held', async ({ engine }) => {
    await engine.enqueue({ queue: 'mail' })

    expect(await engine.value(seconds)).toBeNull()
  })

  test('tells the earliest end of a lease', async ({ engine }) => {
    await engine.running({}, { lease: '1 hour' })
    await engine.running({}, { lease: '10 minutes' })

    const left = await engine.value<number>(seconds)

    expect(left).toBeGreaterThan(540)
    expect(left).toBeLessThanOrEqual(600)
  })

  test('is over when there is a task to rescue', async ({ engine }) => {
    const { id } = await engine.running()
    await engine.pass('20 seconds', id)

    expect(await engine.value<number>(seconds)).toBeLessThan(0)
    await engine.rescue()
    expect(await engine.value(seconds)).toBeNull()
  })
})
