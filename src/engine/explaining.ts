import type { Queryable } from '../db/queryable.ts'
import { call } from './call.ts'
import type { Json } from './task.ts'

/** Why a task waits. */
export interface WaitReason {
  /** Stays the same from release to release; docs/how-to/why-does-it-wait.md lists them. */
  readonly code: WaitCode
  /** One sentence, without a capital and a full stop. */
  readonly message: string
  /** What to do about it. */
  readonly hint: string | null
  /** The values of the sentence, such as `{ group: 'customer 7', running: 2, max_running: 2 }`. */
  readonly data: Readonly<Record<string, Json>>
}

/** Why a task waits; the same from release to release. */
export type WaitCode =
  | 'deadline_passed'
  | 'waiting'
  | 'not_due'
  | 'retrying'
  | 'queue_paused'
  | 'group_paused'
  | 'no_worker'
  | 'no_runner'
  | 'no_handler'
  | 'no_version'
  | 'queue_full'
  | 'group_full'
  | 'queue_rate_limited'
  | 'group_rate_limited'
  | 'workers_busy'
  | 'behind'
  | 'next'

/** Why the first due task of a queue cannot start. */
export interface QueueWaitReason extends WaitReason {
  readonly queue: string
}

/** Saying why tasks wait. */
export function explaining(schema: string) {
  return {
    /** The reason to look at first comes first; none for a task that runs or has ended. */
    explain: (db: Queryable, id: string) =>
      call<WaitReason>(db, `select code, message, hint, data from ${schema}.explain($1)`, [id]),
    /** Of the queues whose first due task cannot start; of all, unless some are named. */
    explainQueues: (db: Queryable, queues: readonly string[] | null = null) =>
      call<QueueWaitReason>(
        db,
        `select queue, code, message, hint, data from ${schema}.explain_queues($1)`,
        [queues],
      ),
  }
}
