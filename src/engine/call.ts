import { type Queryable, translate } from '../db/queryable.ts'

/** Runs one call of the engine; its refusals arrive as TuskErrors. */
export async function call<Row extends object>(
  db: Queryable,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  try {
    const { rows } = await db.query<Row>(text, values)
    return rows
  } catch (error) {
    throw translate(error)
  }
}

/** A verb that always answers with one row. */
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

/** A verb that answers nothing. */
export async function done(answer: Promise<unknown>): Promise<void> {
  await answer
}
