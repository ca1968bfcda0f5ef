import type pg from 'pg'
import { inTransaction } from '../db/in-transaction.ts'
import type { Queryable } from '../db/queryable.ts'
import { type Duration, toTimerMs } from '../lib/duration.ts'
import { requireOptions } from '../lib/require-known.ts'
import { call } from './call.ts'

/** The caller on whose behalf a program acts, as the audit log shows it. */
export interface Caller {
  /** Who it is, for people: the name of a token, a login, or a name that a proxy vouches for. */
  readonly actor: string
  /** The way in: `http`, `cli` or `dashboard`. */
  readonly door?: string | undefined
  /** The id of the token. */
  readonly token?: string | undefined
  /** The network address of the caller. */
  readonly address?: string | undefined
  /** The id of the request. */
  readonly request?: string | undefined
}

export interface CallingOptions {
  /** The statement timeout. Default, and for 0: the setting of the login. */
  readonly timeoutMs?: Duration | undefined
}

/** After the statement timeout the server gets this much longer to answer. Then the connection is cut. */
const graceMs = 2_000

/**
 * Runs work in a transaction on behalf of a caller. Every verb in it that changes something adds an entry to the audit
 * log, which is rolled back with the work if that throws.
 *
 * @example
 * ```ts
 * await callingAs(tusk.pool, { actor: 'ada', door: 'http' }, (db) => tusk.tasks.cancel('42', { on: db }))
 * ```
 */
export async function callingAs<T>(
  pool: pg.Pool,
  caller: Caller,
  work: (db: Queryable) => Promise<T>,
  options: CallingOptions = {},
): Promise<T> {
  requireOptions('callingAs()', options, { timeoutMs: true })
  const timeoutMs = toTimerMs('timeoutMs', options.timeoutMs ?? 0)
  // Settings of the transaction, which end with it, also behind a pooler.
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
