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

/** What to do, and to which tasks. */
export interface NewOperation {
  readonly action: OperationAction
  /** Without a state it means those that the action is for; retry leaves out what is done. */
  readonly filter: TaskFilter
  /** When to run them: with `move`, and if not at once with `retry`. */
  readonly runAt?: Date | undefined
  /** What to change, with `amend`: as `tusk.tasks.amend()` takes it, but no payload. */
  readonly changes?: Omit<TaskChanges, 'payload'> | undefined
}

/** How to drive an operation. */
export interface DriveOptions {
  /** How many tasks to deal with at once; by default 500. */
  readonly limit?: number | undefined
  /** Stops driving. A chore does the rest. */
  readonly signal?: AbortSignal | undefined
}

/** Does something to all tasks that match a filter: `tusk.operations`. */
export class TuskOperations {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Starts an operation on all tasks that match now, page by page. You drive it by iterating over the
   * handle or by waiting for it. If you stop, a chore goes on with it after 5 seconds. Started in a
   * transaction (`on`), it can be driven after the commit.
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

  /** How many tasks start() would find now, and the newest of them. If it is not `exact`, there are at least so many. */
  async count(
    { action, filter, ...given }: NewOperation,
    { on = this.#db, ...options }: CountOptions & On = {},
  ): Promise<OperationCount> {
    const asked = argumentsInSql(given)
    return this.#verbs.countOperation(on, action, filterInSql(filter), asked, options)
  }

  /** A handle on an operation that was started before, here or elsewhere. */
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

  /** How an operation stands. Null if there is none, or if it is no longer kept. */
  async get(id: string, { on = this.#db }: On = {}): Promise<Operation | null> {
    const row = await this.#verbs.operation(on, id)
    return row === null ? null : camelCase(row)
  }

  /** The operations of the last days, the newest first. */
  async list({ on = this.#db, ...page }: OperationPage & On = {}): Promise<Operation[]> {
    return (await this.#verbs.operations(on, page)).map(camelCase)
  }

  /** Stops an operation. What it did stays done. */
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
