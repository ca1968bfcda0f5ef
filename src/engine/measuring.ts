import type { Queryable } from '../db/queryable.ts'
import { call } from './call.ts'
import type { Json } from './task.ts'

/** A row of the view `queue_stats`. Counts of waiting tasks stop at 10,000. */
export interface QueueStats {
  readonly queue: string
  readonly paused_at: Date | null
  readonly running: number
  readonly max_running: number | null
  readonly due: number
  readonly later: number
  readonly oldest_due_at: Date | null
  readonly enqueued_last_hour: string
  readonly done_last_hour: string
  readonly failed_last_hour: string
  readonly cancelled_last_hour: string
}

/** A row of the view `group_stats`: the limits of a group, and how much of them is in use. */
export interface GroupStats {
  readonly group_name: string
  readonly running: number
  readonly max_running: number | null
  readonly gap: string | null
  readonly gap_from: 'start' | 'end'
  readonly rate: number | null
  readonly rate_window: string | null
  readonly rate_left: number | null
  readonly weight: number
  readonly paused_at: Date | null
  readonly next_start_at: Date | null
  readonly parked: number
}

/** A row of the view `worker`: a process that runs tasks, and what it holds. */
export interface WorkerInfo {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly version: string
  readonly queues: string[]
  readonly slots: number
  readonly started_at: Date
  readonly beat_at: Date
  readonly silent_for: string
  readonly draining_at: Date | null
  readonly state: Json
  readonly claims: number
  readonly tasks: number
  readonly asleep: boolean
}

/** How much of everything there is. */
export function measuring(schema: string) {
  return {
    queueStats: (db: Queryable) =>
      call<QueueStats>(db, `select * from ${schema}.queue_stats order by queue`, []),
    groupStats: (db: Queryable) =>
      call<GroupStats>(db, `select * from ${schema}.group_stats order by group_name`, []),
    workers: (db: Queryable) =>
      call<WorkerInfo>(db, `select * from ${schema}.worker order by started_at, id`, []),
  }
}
