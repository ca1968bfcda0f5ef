import { describe, expect } from 'vitest'
import { candidates, take } from '../support/chores.ts'
import { test } from '../support/client.ts'

describe('tusk.chores', () => {
  test('shows who leads the chores, and asks them to resign', async ({ tusk, engine }) => {
    await candidates(engine, 'ada')
    await take(engine, 'ada')

    expect(await tusk.chores.leaders()).toMatchObject([{ chore: 'tidy', worker: 'ada', term: '1' }])
    expect(await tusk.chores.list()).toMatchObject([{ chore: 'tidy', isLed: true, alert: null }])
    expect(await tusk.chores.resign('tidy')).toBe('ada')
  })
})
