import type { Duration } from '../lib/duration.ts'
import { asNumbers } from './as-numbers.ts'

/** A value that JSON can carry. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json }

/** Who performs a task. */
export type TaskKind = 'sql' | 'handler' | 'document'

/** Where a task stands, as people see it; docs/states.md draws the arrows. */
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

/** Why a task ended other than done. */
export type EndReason =
  | 'error'
  | 'timeout'
  | 'lost'
  | 'rejected'
  | 'killed'
  | 'expired'
  | 'aborted'
  | 'dependency'

/** What happens when the key of a new task is taken. */
export type OnDuplicate = 'keep' | 'replace' | 'debounce' | 'throttle'

/** What becomes of a task when one that it comes after does not succeed. */
export type AfterFailure = 'fail' | 'skip' | 'run'

/** How long a task waits after a failed attempt. Durations as Postgres reads them: '30 seconds'. */
export type Backoff = BackoffDelay & {
  /**
   * SQL tasks only: whether an error that no attempt can mend, such as an unknown table, is retried all
   * the same. By default it fails the task at once.
   */
  readonly on_permanent?: 'fail' | 'retry'
}

type BackoffDelay =
  | { readonly kind: 'none' }
  /** A failed attempt is the last one; an attempt that was lost with its worker is not. */
  | { readonly kind: 'never' }
  | { readonly kind: 'fixed'; readonly base: Duration; readonly jitter?: number }
  | {
      readonly kind: 'exponential'
      readonly base?: Duration
      readonly cap?: Duration
      readonly jitter?: number
    }

/** A task to be enqueued; only the queue is needed. Durations as Postgres reads them. */
export interface NewTask {
  readonly queue: string
  readonly payload?: Json | undefined
  /** The payload as JSON already, for callers that had to encode it anyway. */
  readonly payloadJson?: string | undefined
  readonly handler?: string | undefined
  readonly kind?: TaskKind | undefined
  readonly priority?: number | undefined
  readonly runAt?: Date | undefined
  /** Instead of runAt: so long from now, by the database's clock. */
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
  /** Not before these tasks have ended. */
  readonly after?: readonly string[] | undefined
  readonly afterFailure?: AfterFailure | undefined
}

/** What became of a task that was enqueued. */
export interface Enqueued {
  readonly id: string
  readonly outcome: 'created' | 'kept' | 'replaced' | 'debounced' | 'throttled'
}

/** A claimed task; `claim` proves the lease on it. */
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
  /** What a task that is waiting waits for. */
  readonly waits: Json
  readonly progress: Json
  readonly meta: Json
  readonly payload: Json
  readonly output: Json
  readonly error: Json
}

/** Columns of the view `task`; spans of time as text, whatever the connection makes of intervals. */
export const taskColumns: string = `
  id, state, reason, queue, kind, handler, key, groups, tags, priority, version, attempt, max_attempts,
  ${asNumbers('iteration')}, parent, submitted_by, created_at, run_at, started_at, finished_at, keep_until, deadline,
  timeout::text, claim, worker, claimed_at, lease_expires_at, waits_for, waits, progress, meta, payload, output, error`
