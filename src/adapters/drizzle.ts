import type { Queryable } from '../db/queryable.ts'
import { rowsOf } from './rows-of.ts'

/** The `sql` tag of Drizzle. The application passes it in, so it is always the application's own copy of Drizzle. */
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

/**
 * Drizzle numbers parameters itself, so the text is split at our placeholders and the values are inserted between the
 * parts.
 */
function inChunks<Chunk>(sql: DrizzleSql<Chunk>, text: string, values: unknown[]): Chunk {
  const chunks = text.split(/(\$\d+)/).map((piece) => {
    const [, place] = /^\$(\d+)$/.exec(piece) ?? []
    return place === undefined ? sql.raw(piece) : sql`${values[Number(place) - 1]}`
  })
  return sql.join(chunks)
}

/** node-postgres returns a result object, postgres.js the rows themselves. */
function rowsIn(answer: unknown): unknown {
  return Array.isArray(answer) ? answer : (answer as { rows: unknown }).rows
}

/** Drizzle wraps the error of the database. Returns the original. */
function databaseError(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error
}
