import type { Queryable } from '../db/queryable.ts'

/** What the verbs run on, made of a function that answers with rows. */
export function rowsOf(run: (text: string, values: unknown[]) => PromiseLike<unknown>): Queryable {
  return {
    async query<Row extends object>(text: string, values: unknown[] = []) {
      const rows = [...((await run(text, values)) as Iterable<Row>)]
      return { rows, rowCount: rows.length }
    },
  }
}
