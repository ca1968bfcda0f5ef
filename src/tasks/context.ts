import type { Queryable } from '../db/queryable.ts'
import type { ClaimedTask, Json } from '../engine/task.ts'

/** What a handler is given besides its payload. */
export interface Context {
  readonly task: ClaimedTask
  readonly attempt: number
  /** Aborts on timeout, cancel, lost lease or shutdown; `signal.reason` says which. */
  readonly signal: AbortSignal
  /** How far the work has come; shown with the task. */
  progress(progress: Json): Promise<void>
  /** A line that stays with the task. */
  log(message: string, level?: LogLevel): void
  /** Renews the lease now, for work that blocks. */
  extend(): Promise<void>
  /**
   * Runs work in a transaction that also completes the task: its writes and the completion commit
   * together or not at all. What it returns is the task's output.
   */
  transaction<Output extends Json>(work: (db: Queryable) => Promise<Output>): Promise<Output>
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Why a handler's signal was aborted. */
export type AbortReason = 'timeout' | 'cancelled' | 'lease_lost' | 'shutdown'
