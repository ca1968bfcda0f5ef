import type { Queryable } from '../db/queryable.ts'
import { rowsOf } from './rows-of.ts'

/**
 * The part of postgres.js that this adapter needs: `sql` itself, or the one that `sql.begin()` passes to its callback.
 */
export interface PostgresJsSql {
  unsafe(text: string, values: string[]): PromiseLike<readonly object[]>
}

/**
 * Enqueues in a transaction of [postgres.js](https://github.com/porsager/postgres).
 *
 * @example
 * ```ts
 * await sql.begin(async (tx) => {
 *   await tx`insert into orders …`
 *   await tusk.enqueue('send_invoice', { order: 7 }, { on: fromPostgresJs(tx) })
 * })
 * ```
 */
export function fromPostgresJs(sql: PostgresJsSql): Queryable {
  return rowsOf((text, values) => sql.unsafe(text, values as string[]))
}
