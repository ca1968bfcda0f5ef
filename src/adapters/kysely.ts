import type { Queryable } from '../db/queryable.ts'
import { rowsOf } from './rows-of.ts'

/** A statement as Kysely hands it to its driver. */
interface CompiledStatement {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly query: { readonly kind: 'RawNode'; sqlFragments: string[]; parameters: never[] }
  readonly queryId: { readonly queryId: string }
}

/** A database or transaction of Kysely. */
export interface KyselyExecutor {
  executeQuery(statement: CompiledStatement): PromiseLike<{ readonly rows: unknown[] }>
}

/**
 * Enqueues in a transaction of [Kysely](https://kysely.dev).
 *
 * @example
 * ```ts
 * await db.transaction().execute(async (trx) => {
 *   await trx.insertInto('orders').values(order).execute()
 *   await tusk.enqueue('send_invoice', { order: 7 }, { on: fromKysely(trx) })
 * })
 * ```
 */
export function fromKysely(executor: KyselyExecutor): Queryable {
  return rowsOf(async (text, values) => {
    const { rows } = await executor.executeQuery({
      sql: text,
      parameters: values,
      query: { kind: 'RawNode', sqlFragments: [text], parameters: [] },
      queryId: { queryId: 'tusk' },
    })
    return rows
  })
}
