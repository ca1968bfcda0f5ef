import pg from 'pg'
import type { Queryable } from '../db/queryable.ts'
import type { SqlFile } from '../db/sql-files.ts'
import { redact } from '../lib/redact.ts'

/** From where on something is worth a word. */
export interface Limits {
  readonly transactionSeconds: number
  /** For how long a session may be idle in a transaction that has changed rows of the engine. */
  readonly heldSeconds: number
  readonly deadTuples: number
  /** Dead tuples as a share of the live ones. */
  readonly deadShare: number
  readonly oldestDueSeconds: number
  /** For how long tasks may wait in a queue that no worker serves. */
  readonly unservedSeconds: number
  /** For how long a task may wait for a signal without a time-out. */
  readonly awaitedSeconds: number
  readonly skewSeconds: number
  /** A share of the room that Postgres has for notifications. */
  readonly notifyShare: number
  /** A share of max_connections. */
  readonly connectionShare: number
  /** Transactions since the oldest row was frozen. */
  readonly frozenAge: number
}

export const usualLimits: Limits = {
  transactionSeconds: 300,
  heldSeconds: 30,
  deadTuples: 10_000,
  deadShare: 0.2,
  oldestDueSeconds: 300,
  unservedSeconds: 30,
  awaitedSeconds: 86_400,
  skewSeconds: 2,
  notifyShare: 0.1,
  connectionShare: 0.8,
  frozenAge: 1_000_000_000,
}

/** What is looked at, and by what means. */
export interface Examination {
  readonly db: Queryable
  /** As it is named. */
  readonly schema: string
  /** As it is written in SQL. */
  readonly quotedSchema: string
  readonly limits: Limits
  /** The SQL of this version, read once. */
  readonly files: () => Promise<readonly SqlFile[]>
  /** Opens another connection in the same way; without it what needs two is not looked at. */
  readonly connect: (() => Promise<pg.Client>) | undefined
}

/** The rows of a statement. */
export async function ask<Row extends object>(
  { db }: Pick<Examination, 'db'>,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await db.query<Row>(text, values)).rows
}

/** Rows with the statements of other sessions, which may hold passwords: `alter role … password '…'`. */
export async function askStatements<Row extends { readonly query: string | null }>(
  at: Pick<Examination, 'db'>,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const rows = await ask<Row>(at, text, values)
  return rows.map((row) => ({ ...row, query: row.query === null ? null : redact(row.query) }))
}

/** The only row of a statement that always has one. */
export async function askOne<Row extends object>(
  at: Pick<Examination, 'db'>,
  text: string,
  values: unknown[] = [],
): Promise<Row> {
  const [row] = await ask<Row>(at, text, values)
  if (row === undefined) throw new Error('a statement that always has a row gave none')
  return row
}

export function quoted(schema: string): string {
  return pg.escapeIdentifier(schema)
}
