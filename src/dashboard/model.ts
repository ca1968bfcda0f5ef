/** What the API answers with, as far as the dashboard reads it; docs/reference/http.md has all of it. */

export const taskStates = [
  'ready',
  'running',
  'scheduled',
  'retrying',
  'blocked',
  'failed',
  'cancelled',
  'done',
] as const

export type TaskState = (typeof taskStates)[number]

export type TaskKind = 'sql' | 'handler' | 'document'

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json }

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly next_cursor: string | null
}

export interface TaskError {
  readonly name?: string
  readonly code?: string
  readonly message?: string
  readonly detail?: string
  readonly hint?: string
  readonly where?: string
  readonly position?: number
  readonly stack?: string
  readonly statement?: number
  readonly results?: readonly SqlResult[]
  readonly notices?: readonly SqlNotice[]
}

export interface Task {
  readonly id: string
  readonly state: TaskState
  readonly reason: string | null
  readonly queue: string
  readonly kind: TaskKind
  readonly handler: string | null
  readonly key: string | null
  readonly groups: readonly string[] | null
  readonly tags: readonly string[] | null
  readonly priority: number
  readonly version: number
  readonly attempt: number
  readonly max_attempts: number | null
  readonly iteration: string
  readonly parent: string | null
  readonly submitted_by: string
  readonly created_at: string
  readonly run_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly keep_until: string | null
  readonly deadline: string | null
  readonly timeout: string | null
  readonly worker: string | null
  readonly claimed_at: string | null
  readonly lease_expires_at: string | null
  readonly waits_for: string | null
  readonly progress: Json
  readonly meta: Json
  readonly payload: Json
  readonly output: Json
  readonly error: TaskError | null
}

export interface Attempt {
  readonly iteration: string
  readonly attempt: number
  readonly reason: string
  readonly worker: string | null
  readonly started_at: string | null
  readonly ended_at: string
  readonly error: TaskError | null
}

export interface LogLine {
  readonly id?: string
  readonly attempt: number
  readonly at: string
  readonly level: string
  readonly message: string
}

/** A SQL task at work: its backend, what that waits for, and who is in its way. */
export interface RunningSql {
  readonly pid: number | null
  readonly connection: string | null
  readonly state: string | null
  readonly wait_event_type: string | null
  readonly wait_event: string | null
  readonly blocked_by: readonly number[] | null
  readonly started_at: string | null
  readonly query: string | null
}

export interface SqlColumn {
  readonly name: string
  readonly type: string
}

export interface SqlResult {
  readonly tag: string | null
  readonly columns: readonly SqlColumn[] | null
  readonly rows: readonly (readonly (string | null)[])[]
  readonly row_count: number
  readonly dropped: number
  readonly copy?: string
  readonly copy_dropped?: number
  readonly implied?: boolean
}

export interface SqlNotice {
  readonly severity: string
  readonly code: string
  readonly message: string
  readonly detail?: string
  readonly hint?: string
  readonly after: number
}

export interface SqlOutput {
  readonly results: readonly SqlResult[]
  readonly notices: readonly SqlNotice[]
  readonly results_dropped?: number
  readonly notices_dropped?: number
  readonly delivery: string
  readonly pid: number
  readonly duration_ms: number
}

export interface QueueStats {
  readonly queue: string
  readonly paused_at: string | null
  readonly running: number
  readonly max_running: number | null
  readonly due: number
  readonly later: number
  readonly depth?: number
  readonly oldest_due_at: string | null
  readonly enqueued_last_hour: number
  readonly done_last_hour: number
  readonly failed_last_hour: number
  readonly cancelled_last_hour: number
}

export interface Stats {
  readonly now: string
  readonly queues: readonly QueueStats[]
  readonly totals: Readonly<Record<string, number>>
}

export interface SeriesPoint {
  readonly at: string
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

export interface Series {
  readonly width: number
  readonly points: readonly SeriesPoint[]
}

export interface Info {
  readonly version: string
  readonly schema: string
  readonly schema_version: string | number
  readonly database: {
    readonly version: string
    readonly is_standby: boolean
    readonly name: string
  }
  readonly sql_over_http: boolean
  readonly now: string
}

export interface Schedule {
  readonly name: string
  readonly words: string | null
  readonly zone: string | null
  readonly next_at: string | null
  readonly state: string
  readonly last_outcome: string | null
  readonly last_task: string | null
  readonly last_task_state: TaskState | null
}

export interface Worker {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly version: string
  readonly queues: readonly string[] | null
  readonly slots: number
  readonly tasks: number
  readonly started_at: string
  readonly beat_at: string
  readonly draining_at: string | null
  readonly asleep: boolean
}

export interface Operation {
  readonly id: string
  readonly action: string
  readonly state: 'running' | 'done' | 'cancelled' | 'failed'
  /** How many were found so far. */
  readonly matched: number
  readonly done: number
  readonly refused: number
  /** From 0 to 1. */
  readonly progress: number
  readonly error: string | null
}
