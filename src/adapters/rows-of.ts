import type { Queryable } from '../db/queryable.ts'

/** Wraps a function that returns rows in the interface that the verbs run on. */
export function rowsOf(run: (text: string, values: unknown[]) => PromiseLike<unknown>): Queryable {
  return {
    async query<Row extends object>(text: string, values: unknown[] = []) {
      const rows = [...((await run(text, values)) as Iterable<Row>)]
      return { rows, rowCount: rows.length }
    },
  }
}
