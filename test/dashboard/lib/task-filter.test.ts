import { describe, expect, test } from 'vitest'
import { filterOf, momentOf } from '../../../src/dashboard/lib/task-filter.ts'

const now = Date.parse('2026-11-16T12:00:00Z')

describe('the filter in the address', () => {
  test('is what the API takes', () => {
    const query = new URLSearchParams('state=failed&state=done&queue=mail&text=&cursor=9&other=1')

    expect(filterOf(query, now)).toEqual({ state: ['failed', 'done'], queue: 'mail' })
  })

  test.each([
    ['1 hour ago', '2026-11-16T11:00:00.000Z'],
    ['90m', '2026-11-16T10:30:00.000Z'],
    ['-2d', '2026-11-14T12:00:00.000Z'],
    ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00.000Z'],
    ['soon', 'soon'],
  ])('reads the time %s', (text, expected) => {
    expect(momentOf(text, now)).toBe(expected)
  })
})
