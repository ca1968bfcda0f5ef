import { describe, expect, test } from 'vitest'
import { markPosition, sqlTokens } from '../../../src/dashboard/lib/sql-tokens.ts'

function kinds(sql: string): string[] {
  return sqlTokens(sql)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind} ${text}`)
}

describe('SQL in colour', () => {
  test.each([
    ["select 'it''s' from t", ['keyword select', "string 'it''s'", 'keyword from']],
    ["E'a\\'b' 1", ["string E'a\\'b'", 'number 1']],
    ['$tag$ select $$ $tag$ $1', ['string $tag$ select $$ $tag$', 'param $1']],
    ['-- select\n/* from */ 1.5e3', ['comment -- select', 'comment /* from */', 'number 1.5e3']],
    ['"select" selected', ['name "select"']],
    ["'never closed", ["string 'never closed"]],
  ])('reads %s', (sql, expected) => {
    expect(kinds(sql)).toEqual(expected)
  })

  test('loses no character of any text', () => {
    const alphabet = [
      "'",
      '"',
      '$',
      '$$',
      '$a$',
      '--',
      '/*',
      '*/',
      '\n',
      'select',
      'é',
      '😀',
      '1',
      '\\',
      ' ',
    ]
    for (let seed = 1; seed <= 500; seed++) {
      const sql = Array.from(
        { length: 20 },
        (_, i) => alphabet[(seed * 7 + i * i * seed) % alphabet.length],
      ).join('')
      expect(
        sqlTokens(sql)
          .map(({ text }) => text)
          .join(''),
      ).toBe(sql)
    }
  })

  test('marks the word at the position, counted in characters', () => {
    const sql = "select '😀', totl from t"

    const marked = markPosition(sqlTokens(sql), 13).filter((token) => token.marked === true)

    expect(marked.map(({ text }) => text)).toEqual(['totl'])
  })

  test('marks nothing beyond the end', () => {
    expect(markPosition(sqlTokens('select'), 99).some((token) => token.marked === true)).toBe(false)
  })
})
