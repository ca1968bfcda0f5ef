import { describe, expect, test } from 'vitest'
import { lastMoment, momentOf } from '../../../src/dashboard/lib/moment.ts'

describe('a time in a box', () => {
  test('is a moment in the zone of the user', () => {
    expect(momentOf('2026-12-24T18:00')).toBe(new Date(2026, 11, 24, 18).toISOString())
    expect(momentOf(lastMoment)).toMatch(/^9999-12-31T/)
  })

  test.for(['275761-01-01T00:00', '10000-06-01T00:00', 'soon'])(
    'cannot be %s, and it is said what can',
    (text) => {
      expect(() => momentOf(text)).toThrow('Give a time up to the end of the year 9999.')
    },
  )
})
