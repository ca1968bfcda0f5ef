import type { Queryable } from '../db/queryable.ts'

/** Where a method runs: on the client's own connections, or in your transaction. */
export interface On {
  /** Your transaction: a client of `pg`, or the result of an adapter from `pgtusk/adapters`. */
  readonly on?: Queryable | undefined
}
