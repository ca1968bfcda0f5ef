import { describe, expect, test } from 'vitest'
import { bytes } from '../../../src/dashboard/lib/format.ts'

describe('a size in bytes', () => {
  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_500, '1.5 kB'],
    [2_000_000_000, '2 GB'],
  ])('is shown in the largest unit that fits: %s as %s', (size, text) => {
    expect(bytes(size)).toBe(text)
  })

  test('is shown as a dash where the login may not see it', () => {
    expect(bytes(null)).toBe('–')
  })
})
