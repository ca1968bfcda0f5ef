import { describe, expect, test } from 'vitest'
import { markPosition, sqlPieces } from '../../../src/dashboard/lib/sql-pieces.ts'

function kinds(sql: string): string[] {
  return sqlPieces(sql)
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
        sqlPieces(sql)
          .map(({ text }) => text)
          .join(''),
      ).toBe(sql)
    }
  })

  test('marks the word at the position, counted in characters', () => {
    const sql = "select '😀', totl from t"

    const marked = markPosition(sqlPieces(sql), 13).filter((piece) => piece.marked === true)

    expect(marked.map(({ text }) => text)).toEqual(['totl'])
  })

  test('marks nothing beyond the end', () => {
    expect(markPosition(sqlPieces('select'), 99).some((piece) => piece.marked === true)).toBe(false)
  })
})
