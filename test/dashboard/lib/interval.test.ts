import { describe, expect, test } from 'vitest'
import { inWords } from '../../../src/dashboard/lib/interval.ts'

describe('a span of time', () => {
  test.each([
    ['00:01:00', '1 minute'],
    ['02:00:03.5', '2 hours 3.5 seconds'],
    ['1 day 02:00:00', '1 day 2 hours'],
    ['100:00:00', '100 hours'],
    ['7 days', '7 days'],
    ['00:00:00', '0 seconds'],
    ['retry', 'retry'],
  ])('%s is said as %s', (given, said) => {
    expect(inWords(given)).toBe(said)
  })
})
