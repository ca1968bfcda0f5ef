import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

describe('count_operation', () => {
  test('counts what the operation will find, and does nothing', async ({ engine }) => {
    const { id: failed } = await engine.inState('failed')
    await engine.inState('done')
    await engine.inState('queued')

    const counted = await engine.countOperation('retry', { queue: 'mail' })

    expect(counted).toEqual({ count: 1, exact: true, newest: [failed] })
    const id = await engine.startOperation('retry', { queue: 'mail' })
    expect(await engine.advanceOperation(id)).toMatchObject({ state: 'done', matched: 1 })
  })

  test('refuses what could not be started', async ({ engine }) => {
    const refusal = { code: 'invalid_argument' }

    await expect(engine.countOperation('bury', {})).rejects.toMatchObject(refusal)
    await expect(engine.countOperation('move', {}, {})).rejects.toMatchObject(refusal)
  })
})
