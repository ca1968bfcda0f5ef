import type { Queryable } from '../db/queryable.ts'
import { rowsOf } from './rows-of.ts'

/** Drizzle's `sql`, which the application has at hand: so it is always its own copy. */
export interface DrizzleSql<Chunk> {
  raw(text: string): Chunk
  join(chunks: Chunk[]): Chunk
  (strings: TemplateStringsArray, ...params: unknown[]): Chunk
}

/** A database or transaction of Drizzle for Postgres. */
export interface DrizzleExecutor<Chunk> {
  execute(query: Chunk): PromiseLike<unknown>
}

/**
 * Enqueues in a transaction of [Drizzle](https://orm.drizzle.team), whatever driver is below it.
 *
 * @example
 * ```ts
 * import { sql } from 'drizzle-orm'
 *
 * await db.transaction(async (tx) => {
 *   await tx.insert(orders).values(order)
 *   await tusk.enqueue('send_invoice', { order: 7 }, { on: fromDrizzle(tx, sql) })
 * })
 * ```
 */
export function fromDrizzle<Chunk>(
  executor: DrizzleExecutor<Chunk>,
  sql: DrizzleSql<Chunk>,
): Queryable {
  return rowsOf(async (text, values) => {
    try {
      return rowsIn(await executor.execute(inChunks(sql, text, values)))
    } catch (error) {
      throw databaseError(error)
    }
  })
}

/** Drizzle numbers parameters by itself: the text is cut at ours, and the values put in between. */
function inChunks<Chunk>(sql: DrizzleSql<Chunk>, text: string, values: unknown[]): Chunk {
  const chunks = text.split(/(\$\d+)/).map((piece) => {
    const [, place] = /^\$(\d+)$/.exec(piece) ?? []
    return place === undefined ? sql.raw(piece) : sql`${values[Number(place) - 1]}`
  })
  return sql.join(chunks)
}

/** node-postgres answers with a result, postgres.js with the rows themselves. */
function rowsIn(answer: unknown): unknown {
  return Array.isArray(answer) ? answer : (answer as { rows: unknown }).rows
}

/** Drizzle wraps what the database said. */
function databaseError(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error
}
