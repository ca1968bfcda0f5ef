import type pg from 'pg'
import { TuskError } from '../lib/errors.ts'
import type { Queryable } from './queryable.ts'
import { readingOurWay } from './row-types.ts'
import { withClient } from './with-client.ts'

/** Does some work in a transaction of its own: all of it, or nothing if it throws. */
export function inTransaction<T>(pool: pg.Pool, work: (db: Queryable) => Promise<T>): Promise<T> {
  return withClient(pool, async (client) => {
    await client.query('begin')
    try {
      const answer = await work(readingOurWay(client))
      const { command } = await client.query('commit')
      // What Postgres answers when a statement had failed and the work went on regardless.
      if (command === 'ROLLBACK') throw undone()
      return answer
    } catch (error) {
      await client.query('rollback').catch(() => {})
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
