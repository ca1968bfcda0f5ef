import type pg from 'pg'
import { inTransaction } from '../db/in-transaction.ts'
import type { Queryable } from '../db/queryable.ts'
import { call } from './call.ts'

/** For whom a door acts, as it stands in the audit afterwards. */
export interface Caller {
  /** Who it is, for people: the name of a token, a login, a name that a proxy vouches for. */
  readonly actor: string
  /** By which door they came: `http`, `cli`, `dashboard`. */
  readonly door?: string | undefined
  /** The id of the token. */
  readonly token?: string | undefined
  /** From where they came. */
  readonly address?: string | undefined
  /** The id of the request. */
  readonly request?: string | undefined
}

export interface CallingOptions {
  /** After how many milliseconds each statement is stopped; as the login has it unless told, or for 0. */
  readonly timeoutMs?: number | undefined
}

/** The server stops a statement in time; what it has not said by then it will not say. */
const graceMs = 2_000

/**
 * Does some work in a transaction, in the name of a caller: every verb in it that changes something
 * for people writes its row of the audit, which is undone with the work if that throws.
 *
 * @example
 * ```ts
 * await callingAs(tusk.pool, { actor: 'ada', door: 'http' }, (db) => tusk.tasks.cancel('42', { on: db }))
 * ```
 */
export function callingAs<T>(
  pool: pg.Pool,
  caller: Caller,
  work: (db: Queryable) => Promise<T>,
  { timeoutMs = 0 }: CallingOptions = {},
): Promise<T> {
  // Settings of the transaction: they are over with it, also behind a pooler.
  const text = `
    select set_config('tusk.caller', $1, true)
           ${timeoutMs === 0 ? '' : `, set_config('statement_timeout', $2, true)`}`
  const values = [JSON.stringify(caller), ...(timeoutMs === 0 ? [] : [String(timeoutMs)])]
  const answerWithinMs = timeoutMs === 0 ? 0 : timeoutMs + graceMs
  return inTransaction(
    pool,
    async (db) => {
      await call(db, text, values)
      return work(db)
    },
    answerWithinMs,
  )
}
