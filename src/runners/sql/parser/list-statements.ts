import { slice } from './script.ts'
import { type ParsedStatement, type SqlParser, Unreadable } from './sql-parser.ts'

/** A statement of a text, shown before the text runs. */
export interface ListedStatement {
  readonly text: string
  /** `select`, `create table`, `vacuum`, … */
  readonly kind: string
  /** Whether it may run in a transaction with others. */
  readonly in_transaction: boolean
}

/** Where a text cannot be parsed. The position counts characters from 1. */
export interface ParseFault {
  readonly message: string
  readonly position: number | null
}

export interface StatementList {
  readonly statements: readonly ListedStatement[]
  /** How many more statements there are. */
  readonly more: number
  readonly error: ParseFault | null
}

/** The most statements in a list. People read it, and a text can have 100,000. */
const mostListed = 1_000

/**
 * Lists the statements that the parser of Postgres finds in a text. A newer server may accept what this parser rejects.
 */
export async function listStatements(
  parser: Pick<SqlParser, 'parse'>,
  text: string,
): Promise<StatementList> {
  if (text.trim() === '') return { statements: [], more: 0, error: null }
  let parsed: readonly ParsedStatement[]
  try {
    parsed = await parser.parse(text)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const { message, position } = error
    return { statements: [], more: 0, error: { message, position } }
  }
  const listed = parsed.slice(0, mostListed)
  const statements = slice(text, listed).map(({ text: sql, kind }, i) => {
    return { text: sql.trim(), kind, in_transaction: !(listed[i]?.runsAlone ?? false) }
  })
  return { statements, more: parsed.length - listed.length, error: null }
}
