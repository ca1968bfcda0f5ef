import type { Queryable } from '../db/queryable.ts'

/** Where a method runs: on the client's own connections, or in a transaction of the caller's. */
export interface On {
  /** A transaction to be part of: a client of `pg`, or what an adapter of `pgtusk/adapters` makes. */
  readonly on?: Queryable | undefined
}
