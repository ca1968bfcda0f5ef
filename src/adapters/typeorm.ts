import type { Queryable } from '../db/queryable.ts'
import { rowsOf } from './rows-of.ts'

/** An EntityManager, QueryRunner or DataSource of TypeORM for Postgres. */
export interface TypeormExecutor {
  query(text: string, values: unknown[]): PromiseLike<unknown>
}

/**
 * Enqueues in a transaction of [TypeORM](https://typeorm.io).
 *
 * @example
 * ```ts
 * await dataSource.transaction(async (manager) => {
 *   await manager.save(order)
 *   await tusk.enqueue('send_invoice', { order: 7 }, { on: fromTypeorm(manager) })
 * })
 * ```
 */
export function fromTypeorm(executor: TypeormExecutor): Queryable {
  return rowsOf((text, values) => executor.query(text, values))
}
