import type { Queryable } from '../db/queryable.ts'
import { call, callOne, done } from './call.ts'

/** What a role may do with a queue. `operate` includes the other rights in it. */
export type QueueRight = 'enqueue' | 'consume' | 'operate'

/** The rights of one role on a queue, or on all queues with a name prefix. */
export interface QueueGrant {
  /** A queue name, or a name prefix followed by `*`. */
  readonly queue: string
  readonly role: string
  /** Empty after the last right was revoked: the queue stays closed. */
  readonly rights: readonly QueueRight[]
  readonly granted_by: string
  readonly granted_at: Date
  /** Whether the role still exists. */
  readonly is_known: boolean
}

/** Manages which roles may use which queues. */
export function granting(schema: string) {
  return {
    grantQueue: (db: Queryable, queue: string, role: string, rights: readonly QueueRight[]) =>
      done(call(db, `select ${schema}.grant_queue($1, $2, $3)`, [queue, role, rights])),
    /** Revokes all rights if none are named. Returns whether the role had any of them. */
    revokeQueue: async (
      db: Queryable,
      queue: string,
      role: string,
      rights: readonly QueueRight[] | null = null,
    ): Promise<boolean> => {
      const text = `select ${schema}.revoke_queue($1, $2, $3) as had`
      return (await callOne<{ had: boolean }>(db, text, [queue, role, rights])).had
    },
    /** Returns how many roles had grants. */
    openQueue: async (db: Queryable, queue: string): Promise<number> =>
      (await callOne<{ count: number }>(db, `select ${schema}.open_queue($1) as count`, [queue]))
        .count,
    queueGrants: (db: Queryable) =>
      call<QueueGrant>(db, `select * from ${schema}.queue_grant order by queue, role`, []),
  }
}
