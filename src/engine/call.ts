import { type Queryable, translate } from '../db/queryable.ts'
import { TuskError } from '../lib/errors.ts'

/** Runs one call of the engine. Errors of the engine are thrown as TuskErrors. */
export async function call<Row extends object>(
  db: Queryable,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  try {
    const { rows } = await db.query<Row>(text, values)
    return rows
  } catch (error) {
    throw isUnreadable(error) ? unreadable(error) : translate(error)
  }
}

interface UnreadableArgument extends Error {
  readonly code: string
  readonly detail?: string
}

/** SQLSTATE class 22: Postgres rejected an argument before the engine saw it, such as a text with a NUL character. */
function isUnreadable(error: unknown): error is UnreadableArgument {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('22')
}

function unreadable(error: UnreadableArgument): TuskError {
  return new TuskError('invalid_argument', `Postgres cannot take it: ${error.message}`, {
    hint: error.detail ?? 'Nothing was changed. Correct the argument and call again.',
    cause: error,
  })
}

/** Calls a verb that always returns one row. */
export async function callOne<Row extends object>(
  db: Queryable,
  text: string,
  values: unknown[],
): Promise<Row> {
  const [row] = await call<Row>(db, text, values)
  if (row === undefined) throw new Error(`no answer from ${text}`)
  return row
}

export function ids(rows: { id: string }[]): string[] {
  return rows.map((row) => row.id)
}

/** Calls a verb that returns nothing. */
export async function done(answer: Promise<unknown>): Promise<void> {
  await answer
}
