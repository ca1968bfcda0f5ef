import { expect, test } from 'vitest'
import { lineDiff } from '../../../src/dashboard/lib/line-diff.ts'

function reported(before: string, after: string): string {
  const signs = { both: ' ', before: '-', after: '+' }
  return lineDiff(before, after)
    .map(({ side, text }) => signs[side] + text)
    .join('|')
}

test.for([
  ['a\nb\nc', 'a\nb\nc', ' a| b| c'],
  ['a\nb\nc', 'a\nx\nc', ' a|-b|+x| c'],
  ['a\nb', 'a\nb\nc', ' a| b|+c'],
  ['a\nb\nc', 'c', '-a|-b| c'],
  ['', 'a', '-|+a'],
] as const)('shows how %j became %j', ([before, after, lines]) => {
  expect(reported(before, after)).toBe(lines)
})

test('does not compare texts of many lines one by one', () => {
  const long = Array.from({ length: 2_000 }, (_, n) => String(n)).join('\n')

  expect(lineDiff(long, long)).toHaveLength(4_000)
})
