import { describe, expect } from 'vitest'
import { parseFilterQuery } from '../../src/lib/filter-query.ts'
import { nearestWord } from '../../src/lib/nearest-word.ts'
import { redact } from '../../src/sql/redact.ts'
import { test } from '../support/engine.ts'

/** What took the square of its length before: hours, where the limit of a test is two minutes. */
const megabyte = 1_000_000

function filled(part: string): string {
  return part.repeat(megabyte / part.length)
}

describe('a megabyte of text', () => {
  test.for(['postgres://:', 'postgres+', "password='", 'password= ', '?password=', "pwd='\\"])(
    'is redacted in one walk: %s',
    (part) => {
      expect(redact(filled(part)).length).toBeGreaterThan(0)
    },
  )

  test('is no word to compare with others', () => {
    expect(nearestWord(filled('queue'), ['queue'])).toBeUndefined()
    expect(nearestWord('queue', [filled('queue')])).toBeUndefined()
  })

  test('is read as a query in one walk', () => {
    expect(parseFilterQuery(filled('id:12345 ')).ids?.length).toBe(Math.floor(megabyte / 9))
    expect(parseFilterQuery(filled('\\"')).text?.length).toBeGreaterThan(0)
  })
})

describe('redaction', () => {
  test.for([
    ['postgres://u:p@ss@h/db', 'postgres://u:***@h/db'],
    ['postgresql://u@h:5432/db', 'postgresql://u@h:5432/db'],
    ['postgres://u@h,postgres://v:pw@k', 'postgres://u@h,postgres://v:***@k'],
    ['postgres://u:a@h b postgres://w:q@h', 'postgres://u:***@h b postgres://w:***@h'],
    ['postgresql+asyncpg://:secret@h', 'postgresql+asyncpg://:***@h'],
    ['postgres://u:a@h?password=b&x=1', 'postgres://u:***@h?password=***&x=1'],
  ] as const)('of %s shows %s', ([given, shown]) => {
    expect(redact(given)).toBe(shown)
  })
})

describe('nearest_word()', () => {
  test('finds the word that was meant', async ({ engine }) => {
    expect(await engine.value(`select nearest_word('nihgtly', array['x', 'nightly'])`)).toBe(
      'nightly',
    )
  })

  test('compares no more words after 100,000 pairs of letters', async ({ engine }) => {
    const word = 'n'.repeat(50)
    const words = [...Array.from({ length: 1_000 }, (_, i) => `${i}`.padStart(50, 'z')), word]

    expect(await engine.value('select nearest_word($1, $2)', word, words.slice(-10))).toBe(word)
    expect(await engine.value('select nearest_word($1, $2)', word, words)).toBeNull()
  })

  test('compares no words of quite another length', async ({ engine }) => {
    const words = [...Array.from({ length: 10_000 }, () => 'z'.repeat(100)), 'nightly']

    expect(await engine.value(`select nearest_word('nihgtly', $1)`, words)).toBe('nightly')
  })
})
