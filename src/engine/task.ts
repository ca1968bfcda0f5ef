import type { Duration } from '../lib/duration.ts'
import { asNumbers } from './as-numbers.ts'

/** A value that JSON can hold. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json }

/** How a task is run. */
export type TaskKind = 'sql' | 'handler' | 'document'

/** The state of a task, as people see it; docs/states.md draws the transitions. */
export type TaskState =
  | 'waiting'
  | 'scheduled'
  | 'retrying'
  | 'blocked'
  | 'ready'
  | 'running'
  | 'done'
  | 'failed'
  | 'cancelled'

/** Why a task did not complete. */
export type EndReason =
  | 'error'
  | 'timeout'
  | 'lost'
  | 'rejected'
  | 'killed'
  | 'expired'
  | 'aborted'
  | 'dependency'

/** What happens if the key of a new task is taken. */
export type OnDuplicate = 'keep' | 'replace' | 'debounce' | 'throttle'

/** What happens to a task if one of the tasks it waits for does not complete. */
export type AfterFailure = 'fail' | 'skip' | 'run'

/** How long a task waits after a failed attempt. Durations as Postgres reads them: '30 seconds'. */
export type Backoff = BackoffDelay & {
  /**
   * SQL tasks only: whether an error that a retry cannot fix, such as an unknown table, is retried anyway. By default
   * it fails the task at once.
   */
  readonly on_permanent?: 'fail' | 'retry'
}

type BackoffDelay =
  | { readonly kind: 'none' }
  /** A failed attempt is the last one. An attempt that was lost with its worker is retried. */
  | { readonly kind: 'never' }
  | { readonly kind: 'fixed'; readonly base: Duration; readonly jitter?: number }
  | {
      readonly kind: 'exponential'
      readonly base?: Duration
      readonly cap?: Duration
      readonly jitter?: number
    }

/** A task to enqueue. Only the queue is required. Durations are text that Postgres can read. */
export interface NewTask {
  readonly queue: string
  readonly payload?: Json | undefined
  /** The payload as JSON text, for callers that had to encode it anyway. */
  readonly payloadJson?: string | undefined
  readonly handler?: string | undefined
  readonly kind?: TaskKind | undefined
  readonly priority?: number | undefined
  readonly runAt?: Date | undefined
  /** Use it instead of runAt: the delay before it can run, by the database's clock. */
  readonly delay?: string | undefined
  readonly key?: string | undefined
  readonly onDuplicate?: OnDuplicate | undefined
  readonly window?: string | undefined
  readonly freesKey?: boolean | undefined
  readonly groups?: readonly string[] | undefined
  readonly maxRunning?: number | undefined
  readonly tags?: readonly string[] | undefined
  readonly version?: number | undefined
  readonly maxAttempts?: number | undefined
  readonly backoff?: Backoff | undefined
  readonly timeout?: string | undefined
  readonly deadline?: Date | undefined
  readonly retention?: string | undefined
  readonly parent?: string | undefined
  readonly meta?: Json | undefined
  /** It starts after these tasks have ended. */
  readonly after?: readonly string[] | undefined
  readonly afterFailure?: AfterFailure | undefined
}

/** The result of enqueueing a task. */
export interface Enqueued {
  readonly id: string
  readonly outcome: 'created' | 'kept' | 'replaced' | 'debounced' | 'throttled'
}

/** A claimed task. `claim` proves the lease on it. */
export interface ClaimedTask {
  readonly id: string
  readonly claim: string
  readonly attempt: number
  readonly max_attempts: number
  readonly iteration: number
  readonly priority: number
  readonly version: number
  readonly kind: TaskKind
  readonly queue: string
  readonly handler: string | null
  readonly key: string | null
  readonly groups: string[] | null
  readonly tags: string[] | null
  readonly parent: string | null
  readonly created_at: Date
  readonly run_at: Date
  readonly deadline: Date | null
  readonly timeout: string | null
  readonly lease_expires_at: Date
  readonly meta: Json
  readonly payload: Json
}

/** A task as the view `task` shows it, live or finished. */
export interface Task {
  readonly id: string
  readonly state: TaskState
  readonly reason: EndReason | null
  readonly queue: string
  readonly kind: TaskKind
  readonly handler: string | null
  readonly key: string | null
  readonly groups: string[] | null
  readonly tags: string[] | null
  readonly priority: number
  readonly version: number
  readonly attempt: number
  readonly max_attempts: number | null
  readonly iteration: number
  readonly parent: string | null
  readonly submitted_by: string
  readonly created_at: Date
  readonly run_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly keep_until: Date | null
  readonly deadline: Date | null
  readonly timeout: string | null
  readonly claim: string | null
  readonly worker: string | null
  readonly claimed_at: Date | null
  readonly lease_expires_at: Date | null
  readonly waits_for: string | null
  /** What a waiting task waits for. */
  readonly waits: Json
  readonly progress: Json
  readonly meta: Json
  readonly payload: Json
  readonly output: Json
  readonly error: Json
}

/** Columns of the view `task`. Intervals are text, whatever style the connection has set for them. */
export const taskColumns: string = `
  id, state, reason, queue, kind, handler, key, groups, tags, priority, version, attempt, max_attempts,
  ${asNumbers('iteration')}, parent, submitted_by, created_at, run_at, started_at, finished_at, keep_until, deadline,
  timeout::text, claim, worker, claimed_at, lease_expires_at, waits_for, waits, progress, meta, payload, output, error`
