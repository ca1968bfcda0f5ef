import { describe, expect, test } from 'vitest'
import { type FilterName, suggest } from '../../../src/dashboard/lib/suggest.ts'

const names: readonly FilterName[] = [
  { name: 'queue', hint: 'the queue', values: () => ['mail', 'mail-slow', 'reports'] },
  { name: 'kind', hint: 'who performs it', values: () => ['sql', 'handler'] },
  { name: 'key', hint: 'its key', values: () => ['two words'] },
]

function offered(text: string): string[] {
  return suggest(text, names).map((offer) => offer.text)
}

describe('the filter bar', () => {
  test('offers names that begin like what was typed', () => {
    expect(offered('k')).toEqual(['kind:', 'key:'])
  })

  test('offers values after the colon', () => {
    expect(offered('queue:ma')).toEqual(['queue:mail', 'queue:mail-slow'])
  })

  test('finds a value for a word without a name', () => {
    expect(suggest('repor', names)).toEqual([{ text: 'queue:reports', hint: '', isWhole: true }])
  })

  test('offers for the last word, and keeps those before it', () => {
    expect(offered('kind:sql "queue:" queue:rep')).toEqual(['kind:sql "queue:" queue:reports'])
  })

  test('quotes a value with blanks, also while it is typed', () => {
    expect(offered('key:"two w')).toEqual(['key:"two words"'])
  })
})
