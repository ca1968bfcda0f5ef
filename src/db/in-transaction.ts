import type pg from 'pg'
import { TuskError } from '../lib/errors.ts'
import { isGone, isReadOnly } from './gone.ts'
import { drain, readOnly } from './on-pool.ts'
import { isServerPool } from './open-pool.ts'
import type { Queryable } from './queryable.ts'
import { readingOurWay } from './row-types.ts'
import { withClient } from './with-client.ts'

/** Does some work in a transaction of its own: all of it, or nothing if it throws. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (db: Queryable) => Promise<T>,
  answerWithinMs = 0,
): Promise<T> {
  try {
    return await onConnection(pool, work, isServerPool(pool) ? 0 : answerWithinMs)
  } catch (error) {
    if (!isReadOnly(error) || error instanceof TuskError) throw error
    await drain(pool)
    throw readOnly(error)
  }
}

function onConnection<T>(
  pool: pg.Pool,
  work: (db: Queryable) => Promise<T>,
  answerWithinMs: number,
): Promise<T> {
  return withClient(pool, async (client) => {
    const db = readingOurWay(client, answerWithinMs)
    await db.query('begin')
    try {
      const answer = await work(db)
      const { command } = await client.query('commit')
      // What Postgres answers when a statement had failed and the work went on regardless.
      if (command === 'ROLLBACK') throw undone()
      return answer
    } catch (error) {
      // A connection that is lost is cut, and its transaction with it; a silent one would be waited for.
      if (!isGone(error)) await client.query('rollback').catch(() => {})
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
