import { describe, expect, test } from 'vitest'
import { nearestWord } from '../../src/lib/nearest-word.ts'

describe('the nearest word', () => {
  test.for([
    ['quue', 'queue'],
    ['queeu', 'queue'],
    ['STATE', 'state'],
    ['stat', 'state'],
    ['handler', 'handler'],
    ['xyz', undefined],
    ['', undefined],
  ] as const)('to %j is %j', ([meant, word]) => {
    expect(nearestWord(meant, ['queue', 'state', 'handler', 'key'])).toBe(word)
  })
})
