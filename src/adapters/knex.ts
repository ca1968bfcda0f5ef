import type { Queryable } from '../db/queryable.ts'
import { rowsOf } from './rows-of.ts'

/** A Knex instance or transaction for Postgres. */
export interface KnexExecutor {
  raw(text: string, values: readonly string[]): PromiseLike<{ readonly rows: unknown[] }>
}

/**
 * Enqueues in a transaction of [Knex](https://knexjs.org), and so of Objection.
 *
 * @example
 * ```ts
 * await knex.transaction(async (trx) => {
 *   await trx('orders').insert(order)
 *   await tusk.enqueue('send_invoice', { order: 7 }, { on: fromKnex(trx) })
 * })
 * ```
 */
export function fromKnex(executor: KnexExecutor): Queryable {
  return rowsOf(async (text, values) => {
    const inOrder: string[] = []
    // Knex writes `?` for a parameter, so a `?` of our own text must be escaped.
    const asked = text.replaceAll('?', '\\?').replaceAll(/\$(\d+)/g, (_, place: string) => {
      inOrder.push(values[Number(place) - 1] as string)
      return '?'
    })
    return (await executor.raw(asked, inOrder)).rows
  })
}
