import type { Queryable } from '../db/queryable.ts'
import { asNumbers } from './as-numbers.ts'
import { call } from './call.ts'
import type { EndReason, Json, TaskKind } from './task.ts'

/** A row of the view `queue_stats`. Counts of waiting tasks stop at 10,000. */
export interface QueueStats {
  readonly queue: string
  readonly paused_at: Date | null
  readonly running: number
  readonly max_running: number | null
  readonly due: number
  readonly later: number
  /** Tasks that wait for a signal, for children or for other tasks, without a time-out. */
  readonly asleep: number
  readonly oldest_due_at: Date | null
  readonly enqueued_last_hour: number
  readonly done_last_hour: number
  readonly failed_last_hour: number
  readonly cancelled_last_hour: number
}

/**
 * A row of the view `queue_total`: what has happened since the queue was created, and what it holds now. `waits` and
 * `runs` count attempts by duration, up to each bound of {@link durationBuckets} and, last, above them. They are null
 * before the first attempt.
 */
export interface QueueTotal {
  readonly queue: string
  readonly depth: number
  readonly running: number
  readonly waiting: number
  readonly enqueued: number
  readonly claimed: number
  readonly done: number
  readonly failed: number
  readonly cancelled: number
  readonly requeued: number
  readonly retried: number
  readonly lost: number
  readonly wait_seconds: number
  readonly run_seconds: number
  readonly waits: number[] | null
  readonly runs: number[] | null
}

/** The upper bounds, in seconds, of the duration counters: those of duration_buckets(). */
export const durationBuckets: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600,
  14_400, 86_400,
]

/** Which queue, from when to when, and in which resolution. */
export interface SeriesOptions {
  /** Default: all queues. */
  readonly queue?: string | undefined
  /** Default: one hour ago. */
  readonly from?: Date | undefined
  /** Default: now. */
  readonly to?: Date | undefined
  /** Seconds per point, a multiple of 60. Default: 60. */
  readonly width?: number | undefined
}

/** What happened in the `width` seconds from `at`. Times are in seconds; null where no attempt ended. */
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

/** The throughput of a queue in each of the last minutes, the latest last. */
export interface Pulse {
  readonly queue: string
  readonly done: readonly number[]
}

export interface HandlerStatsOptions {
  /** Default: one day ago. */
  readonly since?: Date | undefined
  /** Default: all queues. */
  readonly queue?: string | undefined
  /** How many of the newest tasks that have ended are read. Default: 20,000. */
  readonly limit?: number | undefined
}

/** Statistics of the latest tasks of a handler. Times are in seconds; `since` is when the oldest counted task ended. */
export interface HandlerStats {
  readonly queue: string
  readonly kind: TaskKind
  readonly handler: string | null
  readonly done: number
  readonly failed: number
  readonly cancelled: number
  readonly attempts: number
  readonly wait_p50: number | null
  readonly wait_p95: number | null
  readonly run_p50: number | null
  readonly run_p95: number | null
  readonly run_p99: number | null
  readonly last_at: Date
  readonly since: Date
}

/** Which groups of failures to read. */
export interface ErrorGroupOptions {
  /** Only groups that occurred after this time. */
  readonly since?: Date | undefined
  readonly queue?: string | undefined
  readonly limit?: number | undefined
}

/** A row of the view `error_group`: failures of a queue with the same error. */
export interface ErrorGroup {
  /** Pass it as `error` in a filter of tasks. */
  readonly fingerprint: string
  readonly queue: string
  readonly code: string | null
  /** The common message, without the parts that differ from failure to failure. */
  readonly message: string
  /** The message of the latest failure. */
  readonly sample: string
  readonly reason: EndReason
  readonly count: number
  readonly last_hour: number
  readonly last_day: number
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

/** A row of the view `worker`: a process that runs tasks, and the tasks it holds. */
export interface WorkerInfo {
  readonly id: string
  readonly host: string
  /** Null for workers that claim over HTTP. */
  readonly pid: number | null
  readonly version: string
  /** How it claims: over its own database connection (`sql`), or through a server (`http`). */
  readonly door: 'sql' | 'http'
  readonly queues: string[]
  /** What it can run; null for anything. A handler has the first and the last version that it accepts. */
  readonly kinds: string[] | null
  readonly handlers: (string | null)[] | null
  readonly versions_from: number[] | null
  readonly versions_to: number[] | null
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

/** Columns of queue_stats; listing.ts reads one row of it. */
export const queueStatsColumns = `
  queue, paused_at, running, max_running, due, later, asleep, oldest_due_at, ${asNumbers(
    'enqueued_last_hour',
    'done_last_hour',
    'failed_last_hour',
    'cancelled_last_hour',
  )}`

const queueTotalColumns = `
  queue, ${asNumbers(
    'depth',
    'running',
    'waiting',
    'enqueued',
    'claimed',
    'done',
    'failed',
    'cancelled',
    'requeued',
    'retried',
    'lost',
  )}, wait_seconds, run_seconds, waits::float8[], runs::float8[]`

const errorGroupColumns = `
  fingerprint, queue, code, message, sample, reason, ${asNumbers('count', 'last_hour', 'last_day')},
  first_at, last_at, last_task`

/** Intervals as text, whatever style the connection has set for them. */
export const groupColumns = `
  group_name, running, max_running, gap::text, gap_from, rate, rate_window::text, rate_left, weight, paused_at,
  next_start_at, parked`

export const workerColumns = `
  id, host, pid, version, door, queues, kinds, handlers, versions_from, versions_to, slots, started_at, beat_at,
  silent_for::text, draining_at, state, claims, tasks, asleep`

/** Statistics of queues, groups, handlers and workers. */
export function measuring(schema: string) {
  return {
    queueStats: (db: Queryable) =>
      call<QueueStats>(
        db,
        `select ${queueStatsColumns} from ${schema}.queue_stats order by queue`,
        [],
      ),
    queueTotals: (db: Queryable) =>
      call<QueueTotal>(
        db,
        `select ${queueTotalColumns} from ${schema}.queue_total order by queue`,
        [],
      ),
    pulses: (db: Queryable, minutes = 60) =>
      call<Pulse>(db, `select queue, done::integer[] from ${schema}.pulses($1)`, [minutes]),
    series: (db: Queryable, options: SeriesOptions = {}) => series(db, schema, options),
    handlerStats: (db: Queryable, { since, queue, limit = 20_000 }: HandlerStatsOptions = {}) =>
      call<HandlerStats>(
        db,
        `select queue, kind, handler, ${asNumbers('done', 'failed', 'cancelled')}, attempts, wait_p50, wait_p95,
                run_p50, run_p95, run_p99, last_at, since
         from ${schema}.handler_stats(coalesce($1, clock_timestamp() - interval '1 day'), $2, $3)`,
        [since ?? null, queue ?? null, limit],
      ),
    errorGroups: (db: Queryable, { since, queue, limit = 100 }: ErrorGroupOptions = {}) =>
      call<ErrorGroup>(
        db,
        `select ${errorGroupColumns}
         from ${schema}.error_group
         where last_at >= coalesce($1, '-infinity'::timestamptz) and ($2::text is null or queue = $2)
         order by last_at desc
         limit $3`,
        [since ?? null, queue ?? null, limit],
      ),
    groupStats: (db: Queryable) =>
      call<GroupStats>(
        db,
        `select ${groupColumns} from ${schema}.group_stats order by group_name`,
        [],
      ),
    workers: (db: Queryable) =>
      call<WorkerInfo>(
        db,
        `select ${workerColumns} from ${schema}.worker order by started_at, id`,
        [],
      ),
  }
}

const counts = asNumbers('enqueued', 'started', 'done', 'failed', 'cancelled', 'retried', 'lost')
const hour = 3_600_000

function series(
  db: Queryable,
  schema: string,
  { queue, to = new Date(), from = new Date(to.getTime() - hour), width = 60 }: SeriesOptions,
): Promise<SeriesPoint[]> {
  return call<SeriesPoint>(
    db,
    `select at, ${counts}, wait_p50, wait_p95, wait_p99, run_p50, run_p95, run_p99
     from ${schema}.series($1, $2, $3, $4)`,
    [queue ?? null, from, to, width],
  )
}
