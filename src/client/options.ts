import type pg from 'pg'
import type { Enqueued } from '../engine/task.ts'
import { type Duration, toTimerMs } from '../lib/duration.ts'
import type { KnownOptions } from '../lib/require-known.ts'
import type { RawTask } from '../tasks/enqueue-options.ts'
import type { Tasks } from '../tasks/task-list.ts'

/**
 * Runs around enqueueing. It can inspect the tasks, change them, or reject them by throwing. The tasks of one
 * enqueueMany() arrive together.
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

/** How to open a client. */
export interface TuskOptions<T extends Tasks = readonly []> {
  /**
   * A connection string, or your application's `pg.Pool`, which close() leaves open. Default: the value of
   * `DATABASE_URL`, or, if that is not set, an embedded Postgres that is created and migrated on the fly.
   */
  readonly database?: string | pg.Pool | undefined
  /** The schema that Tusk is installed in. Default: `tusk`. */
  readonly schema?: string | undefined
  /** The tasks that you can enqueue by name: a list of definitions, or a map of handlers. */
  readonly tasks?: T
  /**
   * How wait() learns that a task has ended. `true` (the default) listens on a connection of its own; a URL listens
   * there instead, for example past a pooler; `false` does not listen, and wait() polls.
   */
  readonly listen?: boolean | string | undefined
  /** Runs around every enqueue, of one task or many. */
  readonly middleware?: EnqueueMiddleware | undefined
  /**
   * How long to wait for the answer to a statement before its connection is closed. Default: 30,000 ms; 0 means for
   * ever. An enqueue that ends this way rejects with `outcome_unknown`.
   */
  readonly queryTimeoutMs?: Duration | undefined
  /** The most tasks that may wait to be stored. One more is rejected with `too_many_pending`. Default: 50,000. */
  readonly maxPending?: number | undefined
  /** The most tasks in one statement of combined enqueue() calls. Default: 500. */
  readonly maxBatch?: number | undefined
  /**
   * Installs Tusk, or upgrades it to this version, before the client opens. Default: false; opening then fails if the
   * schema is missing or older. The embedded Postgres is always migrated.
   */
  readonly migrate?: boolean | undefined
  /** Where the embedded Postgres keeps its data. Default: the same place as `tusk db`. */
  readonly stateDirectory?: string | undefined
}

/** Long enough for a statement that waits for a lock, short enough for the caller. */
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
