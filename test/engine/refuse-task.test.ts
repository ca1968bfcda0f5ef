import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'

const tooLarge = { queue: 'mail', payload: 'x'.repeat(300_000) }

describe('a bulk that is refused', () => {
  test.for([
    ['is invalid', { queue: '*' }],
    ['is too large', tooLarge],
    ['has a fault in its groups', { queue: 'mail', groups: [''] }],
  ] as const)('tells programs the place of the task that %s', async ([, bad], { engine }) => {
    const good = { queue: 'mail' }

    const refused = engine.enqueueMany([good, good, bad])

    await expect(refused).rejects.toMatchObject({ cause: { detail: '{"task": 3}' } })
  })

  test('tells the place in an array of objects too', async ({ engine }) => {
    const refused = engine.rows('select enqueue_many($1::jsonb)', '[{"queue": "a"}, {"prio": 1}]')

    await expect(refused).rejects.toMatchObject({ cause: { detail: '{"task": 2}' } })
  })
})
