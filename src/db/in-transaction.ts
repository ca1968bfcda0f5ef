import type pg from 'pg'
import type { Queryable } from './queryable.ts'
import { readingOurWay } from './row-types.ts'
import { withClient } from './with-client.ts'

/** Does some work in a transaction of its own: all of it, or nothing if it throws. */
export function inTransaction<T>(pool: pg.Pool, work: (db: Queryable) => Promise<T>): Promise<T> {
  return withClient(pool, async (client) => {
    await client.query('begin')
    try {
      const answer = await work(readingOurWay(client))
      await client.query('commit')
      return answer
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })
}
