import { slice } from './script.ts'
import { type ParsedStatement, type SqlParser, Unreadable } from './sql-parser.ts'

/** A statement of a text, for people to see before it runs. */
export interface ListedStatement {
  readonly text: string
  /** `select`, `create table`, `vacuum`, … */
  readonly kind: string
  /** Whether it may run in a transaction with others. */
  readonly in_transaction: boolean
}

/** Where a text cannot be read; the position counts characters from 1. */
export interface ParseFault {
  readonly message: string
  readonly position: number | null
}

export interface StatementList {
  readonly statements: readonly ListedStatement[]
  /** How many follow that are not listed. */
  readonly more: number
  readonly error: ParseFault | null
}

/** How many statements a list has at the most: people look at it, and a text can have 100,000. */
const mostListed = 1_000

/** What the parser of Postgres makes of a text. A newer server may still read what it does not. */
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
