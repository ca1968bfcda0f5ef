import { afterAll, describe, expect, test } from 'vitest'
import { listStatements } from '../../../src/runners/sql/parser/list-statements.ts'
import { SqlParser } from '../../../src/runners/sql/parser/sql-parser.ts'

const parser = new SqlParser({ timeoutMs: 60_000 })
afterAll(() => parser.close())

describe('the list of the statements of a text', () => {
  test('says of each what it is, and whether it can share a transaction', async () => {
    const { statements } = await listStatements(
      parser,
      "select 'é;' ;vacuum t; create table x(); rollback to x",
    )

    expect(statements).toEqual([
      { text: "select 'é;'", kind: 'select', in_transaction: true },
      { text: 'vacuum t', kind: 'vacuum', in_transaction: false },
      { text: 'create table x()', kind: 'create table', in_transaction: true },
      { text: 'rollback to x', kind: 'rollback to', in_transaction: true },
    ])
  })

  test('says where a text cannot be read, in characters', async () => {
    expect(await listStatements(parser, 'select é 1 frm')).toEqual({
      statements: [],
      more: 0,
      error: { message: 'syntax error at or near "1"', position: 10 },
    })
  })

  test('survives what no parser can read', async () => {
    const { error } = await listStatements(parser, `select ${'('.repeat(50_000)}1`)

    expect(error).not.toBeNull()
    expect((await listStatements(parser, 'select 1')).error).toBeNull()
  })

  // Each used to be counted from the beginning of the text: a minute for twenty thousand.
  test('takes no longer per statement when there are many', async () => {
    const { statements, more } = await listStatements(parser, 'select 1;'.repeat(20_000))

    expect([statements.length, more]).toEqual([1_000, 19_000])
  })
})
