import { type Parse, type Parsed, runsAlone, slice } from './script.ts'

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
  readonly error: ParseFault | null
}

/** What the parser of Postgres makes of a text. A newer server may still read what it does not. */
export function listStatements(parse: Parse, text: string): StatementList {
  if (text.trim() === '') return { statements: [], error: null }
  let parsed: Parsed
  try {
    parsed = parse(text)
  } catch (error) {
    return { statements: [], error: faultOf(error) }
  }
  const nodes = (parsed.stmts ?? []).map(({ stmt }) => stmt ?? {})
  const statements = slice(text, parsed).map((statement, i) => {
    const node = nodes[i] ?? {}
    const { text: sql, kind } = statement
    return { text: sql.trim(), kind, in_transaction: !runsAlone(node) }
  })
  return { statements, error: null }
}

function faultOf(error: unknown): ParseFault {
  const { message, sqlDetails } = error as {
    message?: string
    sqlDetails?: { cursorPosition?: number }
  }
  const at = sqlDetails?.cursorPosition
  return {
    message: message ?? 'it cannot be read',
    position: at === undefined || at < 0 ? null : at + 1,
  }
}
