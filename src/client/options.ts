import type pg from 'pg'
import type { Enqueued } from '../engine/task.ts'
import { type Duration, toTimerMs } from '../lib/duration.ts'
import type { KnownOptions } from '../lib/require-known.ts'
import type { RawTask } from '../tasks/enqueue-options.ts'
import type { Tasks } from '../tasks/task-list.ts'

/**
 * Runs around enqueueing. It may look at the tasks, change them, or refuse them by throwing; the
 * tasks of one enqueueMany() come together.
 *
 * @example
 * ```ts
 * const tagging: EnqueueMiddleware = (tasks, next) =>
 *   next(tasks.map((task) => ({ ...task, tags: [...(task.tags ?? []), 'web'] })))
 * ```
 */
export type EnqueueMiddleware = (
  tasks: readonly RawTask[],
  next: (tasks: readonly RawTask[]) => Promise<readonly Enqueued[]>,
) => Promise<readonly Enqueued[]>

/** How a client is opened. */
export interface TuskOptions<T extends Tasks = readonly []> {
  /**
   * A connection string, or a `pg.Pool` of the application's, which stays open. Left out: what
   * `DATABASE_URL` says; if that is not set either, an embedded Postgres, made and migrated on the fly.
   */
  readonly database?: string | pg.Pool | undefined
  /** The schema that Tusk is installed in; `tusk` unless told otherwise. */
  readonly schema?: string | undefined
  /** The tasks that may be enqueued by name: a list of definitions, or a map of handlers. */
  readonly tasks?: T
  /**
   * How the ends of tasks are heard: on a connection of its own (by default like `database`), on
   * one to another URL, past a pooler for example, or not at all: then wait() polls.
   */
  readonly listen?: boolean | string | undefined
  /** Runs around every enqueueing, of one task or many. */
  readonly middleware?: EnqueueMiddleware | undefined
  /**
   * After how long without an answer a statement is given up, and its connection with it; 30,000 ms unless told
   * otherwise, 0 for never. An enqueue that ends so rejects with `outcome_unknown`.
   */
  readonly queryTimeoutMs?: Duration | undefined
  /** Most tasks that may wait to be stored before one more is refused with `too_many_pending`; 50,000. */
  readonly maxPending?: number | undefined
  /** Most tasks in one statement of gathered enqueue() calls; 500. */
  readonly maxBatch?: number | undefined
  /**
   * Installs Tusk into the database, or brings it to this version, before the client is opened. Off unless told
   * otherwise: a start then refuses a schema that is missing or older. The embedded Postgres is always migrated.
   */
  readonly migrate?: boolean | undefined
  /** Where the embedded Postgres lives; as for `tusk db`, unless told otherwise. */
  readonly stateDirectory?: string | undefined
}

/** Long enough for a statement that waits for a lock; short enough for the one who called. */
export const usualQueryTimeoutMs = 30_000

export function requireTimeout(given: Duration): number {
  return toTimerMs('queryTimeoutMs', given)
}

export const tuskOptions: KnownOptions<TuskOptions<Tasks>> = {
  database: true,
  schema: true,
  tasks: true,
  listen: true,
  middleware: true,
  queryTimeoutMs: true,
  maxPending: true,
  maxBatch: true,
  migrate: true,
  stateDirectory: true,
}
