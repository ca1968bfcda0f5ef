import type { Queryable } from '../db/queryable.ts'
import { call } from './call.ts'
import type { EndReason, Json } from './task.ts'

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

/**
 * A row of the view `queue_total`: what happened since the beginning, and what lives now. `waits` and
 * `runs` count attempts by how long they took, up to the bounds of {@link durationBuckets} and, last,
 * beyond them; null before the first were counted.
 */
export interface QueueTotal {
  readonly queue: string
  readonly depth: string
  readonly running: string
  readonly waiting: string
  readonly enqueued: string
  readonly claimed: string
  readonly done: string
  readonly failed: string
  readonly cancelled: string
  readonly requeued: string
  readonly retried: string
  readonly lost: string
  readonly wait_seconds: number
  readonly run_seconds: number
  readonly waits: string[] | null
  readonly runs: string[] | null
}

/** The upper bounds, in seconds, by which waits and runs are counted: those of duration_buckets(). */
export const durationBuckets: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600,
  14_400, 86_400,
]

export interface SeriesOptions {
  /** All queues unless told. */
  readonly queue?: string | undefined
  /** An hour ago unless told. */
  readonly from?: Date | undefined
  /** Now unless told. */
  readonly to?: Date | undefined
  /** Seconds per point, a multiple of 60; a minute unless told. */
  readonly width?: number | undefined
}

/** What happened within `width` seconds from `at` on. Times in seconds; null where no attempt ended. */
export interface SeriesPoint {
  readonly at: Date
  readonly enqueued: number
  readonly started: number
  readonly done: number
  readonly failed: number
  readonly cancelled: number
  readonly retried: number
  readonly lost: number
  readonly wait_p50: number | null
  readonly wait_p95: number | null
  readonly wait_p99: number | null
  readonly run_p50: number | null
  readonly run_p95: number | null
  readonly run_p99: number | null
}

/** What a queue got done in each of the last minutes, the latest last. */
export interface Pulse {
  readonly queue: string
  readonly done: readonly number[]
}

export interface ErrorGroupOptions {
  /** Those that occurred since then. */
  readonly since?: Date | undefined
  readonly queue?: string | undefined
  readonly limit?: number | undefined
}

/** A row of the view `error_group`: failures of a queue that say the same. */
export interface ErrorGroup {
  /** What to give as `error` in a filter of tasks. */
  readonly fingerprint: string
  readonly queue: string
  readonly code: string | null
  /** What they say, without what differs from one to the next. */
  readonly message: string
  /** What the last of them said. */
  readonly sample: string
  readonly reason: EndReason
  readonly count: string
  readonly last_hour: string
  readonly last_day: string
  readonly first_at: Date
  readonly last_at: Date
  readonly last_task: string
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
    queueTotals: (db: Queryable) =>
      call<QueueTotal>(
        db,
        `select *, waits::text[], runs::text[] from ${schema}.queue_total order by queue`,
        [],
      ),
    pulses: (db: Queryable, minutes = 60) =>
      call<Pulse>(db, `select queue, done::integer[] from ${schema}.pulses($1)`, [minutes]),
    series: (db: Queryable, options: SeriesOptions = {}) => series(db, schema, options),
    errorGroups: (db: Queryable, { since, queue, limit = 100 }: ErrorGroupOptions = {}) =>
      call<ErrorGroup>(
        db,
        `select *
         from ${schema}.error_group
         where last_at >= coalesce($1, '-infinity'::timestamptz) and ($2::text is null or queue = $2)
         order by last_at desc
         limit $3`,
        [since ?? null, queue ?? null, limit],
      ),
    groupStats: (db: Queryable) =>
      call<GroupStats>(db, `select * from ${schema}.group_stats order by group_name`, []),
    workers: (db: Queryable) =>
      call<WorkerInfo>(db, `select * from ${schema}.worker order by started_at, id`, []),
  }
}

const counts = ['enqueued', 'started', 'done', 'failed', 'cancelled', 'retried', 'lost']
const hour = 3_600_000

/** Counts fit into a number, for no point has more than nine quadrillion tasks. */
function series(
  db: Queryable,
  schema: string,
  { queue, to = new Date(), from = new Date(to.getTime() - hour), width = 60 }: SeriesOptions,
): Promise<SeriesPoint[]> {
  const numbers = counts.map((name) => `${name}::float8`).join(', ')
  return call<SeriesPoint>(
    db,
    `select at, ${numbers}, wait_p50, wait_p95, wait_p99, run_p50, run_p95, run_p99
     from ${schema}.series($1, $2, $3, $4)`,
    [queue ?? null, from, to, width],
  )
}
