import { describe, expect, test } from 'vitest'
import { type FilterName, readFilter, suggest } from '../../../src/dashboard/lib/suggest.ts'

const names: readonly FilterName[] = [
  { name: 'queue', hint: 'the queue', values: () => ['mail', 'mail-slow', 'reports'] },
  { name: 'kind', hint: 'who performs it', values: () => ['sql', 'handler'] },
  { name: 'key', hint: 'its key' },
]

describe('the filter bar', () => {
  test('offers names that begin like what was typed', () => {
    expect(suggest('k', names).map(({ text }) => text)).toEqual(['kind:', 'key:'])
  })

  test('offers values after the colon', () => {
    expect(suggest('queue:ma', names).map(({ text }) => text)).toEqual([
      'queue:mail',
      'queue:mail-slow',
    ])
  })

  test('finds a value for a word without a name', () => {
    expect(suggest('repor', names)).toEqual([{ text: 'queue:reports', hint: '', isWhole: true }])
  })

  test('reads a colon in a value as part of it', () => {
    expect(readFilter('key:user:42', names)).toEqual({ name: 'key', value: 'user:42' })
  })

  test('takes words with an unknown name for text', () => {
    expect(readFilter('https://example.org', names)).toBeNull()
  })
})
