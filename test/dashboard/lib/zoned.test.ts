import { describe, expect, test } from 'vitest'
import { localIn } from '../../../src/dashboard/lib/zoned.ts'

describe('a moment in a zone', () => {
  test('is what the clocks there show', () => {
    expect(localIn('Europe/Berlin', '2026-07-01T10:30:05Z')).toBe('2026-07-01T12:30:05')
    expect(localIn('Pacific/Auckland', '2026-12-31T12:00:00Z')).toBe('2027-01-01T01:00:00')
    expect(localIn('UTC', '2026-07-01T00:00:00Z')).toBe('2026-07-01T00:00:00')
  })

  test('is itself in a zone that the browser does not know', () => {
    expect(localIn('posix/Nowhere', '2026-07-01T10:30:00Z')).toBe('2026-07-01T10:30:00Z')
    expect(localIn('UTC', null)).toBe('')
  })
})
