import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { TuskError } from '../lib/errors.ts'
import { checkOut, giveBack } from './check-out.ts'
import { isConnectionLost, isReadOnlyError } from './connection-errors.ts'
import { isServerPool } from './open-pool.ts'
import type { Queryable } from './queryable.ts'
import { withNamesAndParsers } from './row-types.ts'
import { unreachableError } from './unreachable-error.ts'

export interface OnPoolOptions {
  /** How long to wait for an answer, in milliseconds, before the connection is cut. 0 means for ever. */
  readonly answerWithinMs?: number | undefined
}

/** After a failover it may take a moment to find the new primary. */
const triesAfterReadOnly = 4
const firstPauseMs = 100

/** Runs each statement on a pool, on a connection checked out for that statement. */
export function overPool(pool: pg.Pool, options: OnPoolOptions = {}): Queryable {
  return {
    query: <Row extends object>(text: string, values?: unknown[]) =>
      onPool(pool, options, (db) => db.query<Row>(text, values)),
  }
}

/**
 * Runs one statement on a connection of a pool. A lost or silent connection is destroyed. A server that accepts no
 * writes is a demoted primary: the statement did nothing, so it is repeated on a new connection.
 */
export async function onPool<T>(
  pool: pg.Pool,
  options: OnPoolOptions,
  statement: (db: Queryable) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await onConnection(pool, options, statement)
    } catch (error) {
      if (!isReadOnlyError(error)) throw error
      await drain(pool)
      if (tries >= triesAfterReadOnly) throw readOnlyError(error)
    }
    await pause(firstPauseMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2))
  }
}

async function onConnection<T>(
  pool: pg.Pool,
  { answerWithinMs = 0 }: OnPoolOptions,
  statement: (db: Queryable) => Promise<T>,
): Promise<T> {
  const client = await checkOut(pool).catch((error: unknown) => {
    throw unreachableError(error)
  })
  let isLost = false
  try {
    // Our own connections have the limit already, and enforce it better than the driver does.
    return await statement(withNamesAndParsers(client, isServerPool(pool) ? 0 : answerWithinMs))
  } catch (error) {
    isLost = isConnectionLost(error)
    throw error
  } finally {
    giveBack(client, isLost)
  }
}

/** Closes the idle connections of a pool: they lead to a server that is no longer the primary. */
export async function drain(pool: pg.Pool): Promise<void> {
  const idle = Array.from({ length: pool.idleCount }, () => checkOut(pool).catch(() => undefined))
  for (const client of await Promise.all(idle)) if (client) giveBack(client, true)
}

/** Nothing was changed: a read-only server rejects a statement before it changes anything. */
export function readOnlyError(cause: unknown): TuskError {
  return new TuskError(
    'database_read_only',
    'the database takes no writes: it is a standby, or a primary that was demoted',
    {
      hint: 'Nothing was changed: send it again when there is a primary. Name all servers in the connection string: postgres://host1,host2/database?target_session_attrs=read-write',
      cause,
    },
  )
}
