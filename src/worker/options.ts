import { type ChoreOptions, type ChoreSettings, resolveChoreSettings } from '../chores/settings.ts'
import { requireUrl } from '../db/require-url.ts'
import type { Json } from '../engine/task.ts'
import { type Duration, longestTimerMs, toTimerMs } from '../lib/duration.ts'
import { TuskError } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import { requireOneOf } from '../lib/require-known.ts'
import type { Middleware } from '../runners/handler/perform.ts'
import { schedulesInSql } from '../tasks/schedule-in-sql.ts'
import type { Schedules } from '../tasks/schedule-settings.ts'
import { listTasks, type Tasks } from '../tasks/task-list.ts'
import type { QueueShare } from './claim/queue-order.ts'
import type { Database } from './connections/connection-config.ts'
import { usualTransactionIdleMs } from './connections/session-settings.ts'
import type { WorkerListeners } from './events/worker-events.ts'
import type { PushOptions } from './push-options.ts'
import { Repertoire } from './run/repertoire.ts'
import type { SqlOptions } from './sql-options.ts'

/** How a worker works. Only the tasks are needed. */
export interface WorkerOptions<T extends Tasks = Tasks> {
  /**
   * A connection string, settings of `pg`, or a pool to take them from; the worker opens connections of its own. Left
   * out: what `DATABASE_URL` says; if that is not set either, an embedded Postgres, made and migrated on the fly.
   */
  readonly database?: Database | undefined
  /** What it can run: definitions with `run` or `batch`, or handlers by name. It claims nothing else. */
  readonly tasks?: T | undefined
  /** Runs SQL tasks too, of the queue `sql` unless `queues` says otherwise; with `true`, as usual. */
  readonly sql?: boolean | SqlOptions | undefined
  /**
   * Delivers the tasks of its queues to their endpoints instead of running them: see
   * docs/how-to/push.md. Its queues are those that have an endpoint when it starts, unless `queues` names
   * them. Such a worker runs nothing else.
   */
  readonly push?: boolean | PushOptions | undefined
  /** The schema in which Tusk is installed; by default `tusk`. */
  readonly schema?: string
  /**
   * The queues it serves, or their weights: `{ mail: 3, reports: 1 }` lets mail go first three times
   * out of four while both have tasks. By default the queues of its tasks, all alike.
   */
  readonly queues?: readonly string[] | Readonly<Record<string, number>>
  /** `strict`: a queue is served only while those named before it are empty. */
  readonly order?: 'weighted' | 'strict'
  /** Handlers that run at once; by default 10. A batch counts as one. */
  readonly concurrency?: number
  /**
   * The most tasks that are claimed ahead of their start; by default 4,000. The worker
   * takes what it gets through in a quarter of a second, so slow tasks are left to others.
   */
  readonly buffer?: number
  /** How long a run may take if neither the task nor its queue nor its definition sets a timeout; by default unlimited. */
  readonly timeoutMs?: Duration | undefined
  /** How long a claim lasts without being renewed; by default 15 s. It is renewed five times as often. */
  readonly leaseMs?: Duration
  /**
   * How long a handler may block the event loop before its lease is given up; by default a minute.
   * Until then a thread of its own keeps the leases.
   */
  readonly maxBlockMs?: Duration
  /**
   * How long a transaction of a handler may be idle between two statements before the server ends it. By default
   * four leases, and at least a minute; 0 for no limit. A worker that vanished or froze in a transaction would
   * keep its rows locked.
   */
  readonly transactionIdleMs?: Duration
  /** `false`: no LISTEN, for example behind a pooler; or where to connect for it instead. */
  readonly listen?: boolean | Database
  /** How often to look for tasks while there is no LISTEN; by default 2 s. */
  readonly pollMs?: Duration
  /** How long running handlers may take when the worker stops; by default 30 s. */
  readonly deadlineMs?: Duration
  /** How long a handler may take to stop after its signal was aborted; by default 5 s. */
  readonly graceMs?: Duration
  /** Stop on SIGTERM and SIGINT; a second signal ends the process at once. On by default. */
  readonly signals?: boolean
  /** Take part in the chores: rescue, expire, sweep and others, and your own. On by default. */
  readonly chores?: boolean | ChoreOptions
  /**
   * Schedules to make or change when it starts, as `tusk.schedules.apply()` does; others are left alone. Its
   * role in the database must be an operator's.
   */
  readonly schedules?: Schedules<T> | undefined
  /** Runs around each handler. */
  readonly middleware?: Middleware
  /** Where its log lines go: a pino logger, or false for nowhere. By default lines of JSON on standard output. */
  readonly logger?: Logger | false
  /** At which level a completed task is logged; by default `debug`. */
  readonly completedLevel?: 'debug' | 'info'
  /** Called for events of the worker, from the first task on; see {@link Worker.on}. */
  readonly listeners?: WorkerListeners | undefined
}

/** Options whose database was found. */
export interface OpenedOptions extends WorkerOptions {
  readonly database: Database
}

/** The options with everything decided. */
export interface Settings {
  readonly schema: string
  readonly repertoire: Repertoire
  readonly shares: readonly QueueShare[]
  readonly order: 'weighted' | 'strict'
  readonly concurrency: number
  readonly buffer: number
  readonly leaseMs: number
  readonly maxBlockMs: number
  readonly transactionIdleMs: number
  readonly pollMs: number
  readonly deadlineMs: number
  readonly graceMs: number
  readonly chores: ChoreSettings | null
  readonly completedLevel: 'debug' | 'info'
  /** The schedules to apply, as the engine takes them; undefined when there are none. */
  readonly schedules: (() => Promise<Json>) | undefined
}

export function resolveSettings(options: OpenedOptions): Settings {
  const { sql = false, push = false, database } = options
  // It would look for ever for a host that is not configured.
  requireUrl(database, 'database')
  const leaseMs = toTimerMs('leaseMs', options.leaseMs ?? 15_000, 500)
  const runsSql = sql !== false
  const repertoire = new Repertoire(listTasks(options.tasks ?? []), {
    runsSql,
    pushes: push !== false,
    timeoutMs: timeoutMs(options),
  })
  return {
    schema: options.schema ?? 'tusk',
    repertoire,
    shares: sharesOf(options.queues ?? repertoire.queues),
    order: options.order ?? 'weighted',
    concurrency: number(
      'concurrency',
      options.concurrency ?? (typeof sql === 'object' ? sql.concurrency : undefined) ?? 10,
      1,
    ),
    buffer: number('buffer', options.buffer ?? 4_000, 0),
    leaseMs,
    maxBlockMs: toTimerMs('maxBlockMs', options.maxBlockMs ?? 60_000, 0),
    transactionIdleMs: transactionIdleMs(options, leaseMs),
    pollMs: toTimerMs('pollMs', options.pollMs ?? 2_000, 1),
    deadlineMs: toTimerMs('deadlineMs', options.deadlineMs ?? 30_000, 0),
    graceMs: toTimerMs('graceMs', options.graceMs ?? 5_000, 0),
    chores: resolveChoreSettings(options.chores, leaseMs),
    schedules: schedulesOf(options),
    completedLevel: completedLevel(options),
  }
}

function completedLevel({ completedLevel: level = 'debug' }: WorkerOptions): 'debug' | 'info' {
  requireOneOf('completedLevel', level, ['debug', 'info'])
  return level
}

function timeoutMs({ timeoutMs: given }: WorkerOptions): number | null {
  return given === undefined ? null : toTimerMs('timeoutMs', given, 1)
}

function transactionIdleMs({ transactionIdleMs: given }: WorkerOptions, leaseMs: number): number {
  return toTimerMs('transactionIdleMs', given ?? usualTransactionIdleMs(leaseMs), 0)
}

function schedulesOf({ schedules, tasks = [] }: WorkerOptions): Settings['schedules'] {
  if (schedules === undefined) return undefined
  const definitions = new Map(listTasks(tasks).map((task) => [task.name, task]))
  return () => schedulesInSql(schedules, definitions)
}

function sharesOf(queues: readonly string[] | Readonly<Record<string, number>>): QueueShare[] {
  const shares = Array.isArray(queues)
    ? [...new Set(queues as readonly string[])].map((queue) => ({ queue, weight: 1 }))
    : Object.entries(queues).map(([queue, weight]) => ({ queue, weight: Number(weight) }))
  if (shares.length === 0)
    throw invalid('a worker needs at least one queue', 'Name one in `queues`.')
  for (const { queue, weight } of shares) number(`the weight of ${queue}`, weight, 0.001)
  return shares
}

function number(name: string, value: number, least: number): number {
  if (value >= least && value <= longestTimerMs) return value
  throw invalid(`${name} cannot be ${value}`, `Give a number from ${least} to ${longestTimerMs}.`)
}

function invalid(message: string, hint: string): TuskError {
  return new TuskError('invalid_argument', message, { hint })
}
