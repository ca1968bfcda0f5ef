import type { Queryable } from '../db/queryable.ts'
import type { OperationAction, OperationCount, OperationPage } from '../engine/bulk.ts'
import { type CountOptions, filterInSql, type TaskFilter } from '../engine/looking.ts'
import { timeLiteral } from '../engine/time-literal.ts'
import type { Verbs } from '../engine/verbs.ts'
import { camelCase } from '../lib/casing.ts'
import { requireOptions } from '../lib/require-known.ts'
import { driven, type Operation, type OperationHandle } from './drive.ts'
import { requireTime } from './new-task.ts'
import type { On } from './on.ts'
import { changesInSql, type TaskChanges } from './task-changes.ts'

/** The action, and the tasks to apply it to. */
export interface NewOperation {
  readonly action: OperationAction
  /** Which tasks. Without a state: the states that the action applies to. `retry` then leaves out completed tasks. */
  readonly filter: TaskFilter
  /** When to run them. Required for `move`, optional for `retry` (default: now). */
  readonly runAt?: Date | undefined
  /** What to change, for `amend`: what `tusk.tasks.amend()` takes, without the payload. */
  readonly changes?: Omit<TaskChanges, 'payload'> | undefined
}

/** How to drive an operation. */
export interface DriveOptions {
  /** How many tasks to process per page. Default: 500. */
  readonly limit?: number | undefined
  /** Stops driving. A chore does the rest. */
  readonly signal?: AbortSignal | undefined
}

/** Applies an action to all tasks that match a filter. Available as `tusk.operations`. */
export class TuskOperations {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Starts an operation on all tasks that match now. You drive it by iterating over the handle or by waiting for it. If
   * you stop, a chore continues after 5 seconds. If you start it in a transaction (`on`), drive it after the commit.
   *
   * @example
   * ```ts
   * const operation = await tusk.operations.start({
   *   action: 'retry',
   *   filter: { queue: 'mail', state: 'failed' },
   * })
   * for await (const { done, refused, progress } of operation) show(done, refused, progress)
   * ```
   */
  async start(
    { action, filter, ...given }: NewOperation,
    { on = this.#db, ...drive }: On & DriveOptions = {},
  ): Promise<OperationHandle> {
    const id = await this.#verbs.startOperation(
      on,
      action,
      filterInSql(filter),
      argumentsInSql(given),
    )
    return this.drive(id, drive)
  }

  /**
   * Counts the tasks that start() would find now, and returns the newest of them. If the count is not `exact`, there
   * are at least that many.
   */
  async count(
    { action, filter, ...given }: NewOperation,
    { on = this.#db, ...options }: CountOptions & On = {},
  ): Promise<OperationCount> {
    const asked = argumentsInSql(given)
    return this.#verbs.countOperation(on, action, filterInSql(filter), asked, options)
  }

  /** Returns a handle on an operation that was started before, here or elsewhere. */
  drive(id: string, options: DriveOptions = {}): OperationHandle {
    requireOptions('tusk.operations.drive()', options, { limit: true, signal: true })
    const { limit, signal } = options
    return driven({
      id,
      advance: async () => camelCase(await this.#verbs.advanceOperation(this.#db, id, limit)),
      cancel: () => this.cancel(id),
      signal,
    })
  }

  /** Returns the state of an operation. Null if it does not exist or is no longer kept. */
  async get(id: string, { on = this.#db }: On = {}): Promise<Operation | null> {
    const row = await this.#verbs.operation(on, id)
    return row === null ? null : camelCase(row)
  }

  /** Lists the operations of the last days, the newest first. */
  async list({ on = this.#db, ...page }: OperationPage & On = {}): Promise<Operation[]> {
    return (await this.#verbs.operations(on, page)).map(camelCase)
  }

  /** Stops an operation. What it has done stays done. */
  cancel(id: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.cancelOperation(on, id)
  }
}

function argumentsInSql({ runAt, changes }: Pick<NewOperation, 'runAt' | 'changes'>) {
  requireTime('runAt', runAt)
  return {
    ...(runAt === undefined ? {} : { run_at: timeLiteral(runAt) }),
    ...(changes === undefined ? {} : { changes: changesInSql(changes) }),
  }
}
