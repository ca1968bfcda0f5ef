import type { Queryable } from '../db/queryable.ts'
import { call } from './call.ts'
import type { Json } from './task.ts'

/** Why a task waits. */
export interface WaitReason {
  /** Does not change between releases; docs/how-to/why-does-it-wait.md lists all codes. */
  readonly code: WaitCode
  /** One sentence, without a capital letter and a full stop. */
  readonly message: string
  /** What you can do about it. */
  readonly hint: string | null
  /** The values in the message, such as `{ group: 'customer 7', running: 2, max_running: 2 }`. */
  readonly data: Readonly<Record<string, Json>>
}

/** Why a task waits. The codes do not change between releases. */
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

/** Explains why tasks wait. */
export function explaining(schema: string) {
  return {
    /** The most important reason comes first. Empty for a task that runs or has ended. */
    explain: (db: Queryable, id: string) =>
      call<WaitReason>(db, `select code, message, hint, data from ${schema}.explain($1)`, [id]),
    /** Only queues whose first due task cannot start. Checks all queues, unless you name some. */
    explainQueues: (db: Queryable, queues: readonly string[] | null = null) =>
      call<QueueWaitReason>(
        db,
        `select queue, code, message, hint, data from ${schema}.explain_queues($1)`,
        [queues],
      ),
  }
}
