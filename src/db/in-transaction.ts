import type pg from 'pg'
import { TuskError } from '../lib/errors.ts'
import { isConnectionLost, isReadOnlyError } from './connection-errors.ts'
import { drain, readOnlyError } from './on-pool.ts'
import { isServerPool } from './open-pool.ts'
import type { Queryable } from './queryable.ts'
import { withTypeParsers } from './row-types.ts'
import { withClient } from './with-client.ts'

/** Runs work in a transaction of its own. If it throws, everything is rolled back. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (db: Queryable) => Promise<T>,
  answerWithinMs = 0,
): Promise<T> {
  try {
    return await onConnection(pool, work, isServerPool(pool) ? 0 : answerWithinMs)
  } catch (error) {
    if (!isReadOnlyError(error) || error instanceof TuskError) throw error
    await drain(pool)
    throw readOnlyError(error)
  }
}

function onConnection<T>(
  pool: pg.Pool,
  work: (db: Queryable) => Promise<T>,
  answerWithinMs: number,
): Promise<T> {
  return withClient(pool, async (client) => {
    const db = withTypeParsers(client, answerWithinMs)
    await db.query('begin')
    try {
      const answer = await work(db)
      const { command } = await client.query('commit')
      // Postgres answers a commit with ROLLBACK if a statement had failed and the work ignored the error.
      if (command === 'ROLLBACK') throw undone()
      return answer
    } catch (error) {
      // A lost connection is cut, and its transaction with it. Waiting for a silent one would take for ever.
      if (!isConnectionLost(error)) await client.query('rollback').catch(() => {})
      throw error
    }
  })
}

function undone(): TuskError {
  return new TuskError(
    'wrong_state',
    'nothing was done: a statement of the transaction had failed',
    {
      hint: 'Let the error of a statement end the work that it is part of.',
    },
  )
}
