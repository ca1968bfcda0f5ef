import { describe, expect, test } from 'vitest'
import { listStatements } from '../../src/sql/list-statements.ts'
import { loadParser } from '../../src/sql/script.ts'

const parse = await loadParser()

describe('the list of the statements of a text', () => {
  test('says of each what it is, and whether it can share a transaction', () => {
    const { statements } = listStatements(
      parse,
      "select 'é;' ;vacuum t; create table x(); rollback to x",
    )

    expect(statements).toEqual([
      { text: "select 'é;'", kind: 'select', in_transaction: true },
      { text: 'vacuum t', kind: 'vacuum', in_transaction: false },
      { text: 'create table x()', kind: 'create table', in_transaction: true },
      { text: 'rollback to x', kind: 'rollback to', in_transaction: true },
    ])
  })

  test('says where a text cannot be read, in characters', () => {
    expect(listStatements(parse, 'select é 1 frm')).toEqual({
      statements: [],
      error: { message: 'syntax error at or near "1"', position: 10 },
    })
  })

  test('survives what no parser can read', () => {
    const { error } = listStatements(parse, `select ${'('.repeat(50_000)}1`)

    expect(error).not.toBeNull()
    expect(listStatements(parse, 'select 1').error).toBeNull()
  })

  // Each used to be counted from the beginning of the text: a minute for twenty thousand.
  test('takes no longer per statement when there are many', () => {
    expect(listStatements(parse, 'select 1;'.repeat(20_000)).statements).toHaveLength(20_000)
  })
})
