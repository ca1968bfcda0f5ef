import type { Operation, OperationAction, OperationCount, OperationPage } from '../engine/bulk.ts'
import { type CountOptions, filterInSql, type TaskFilter } from '../engine/looking.ts'
import type { Json } from '../engine/task.ts'
import { timeLiteral } from '../engine/time-literal.ts'
import { driven, type OperationHandle } from './drive.ts'
import { requireTime } from './new-task.ts'
import { type On, Operations } from './operations.ts'

/** What to do, and to which tasks. */
export interface OperateOptions {
  readonly action: OperationAction
  /** Without a state it means those that the action is for; retry leaves out what is done. */
  readonly filter: TaskFilter
  /** When to run them: with `move`, and if not at once with `retry`. */
  readonly runAt?: Date | undefined
  /** What to change, with `amend`: as amend() takes it, but no payload. */
  readonly changes?: Readonly<Record<string, Json>> | undefined
}

/** How to drive an operation. */
export interface DriveOptions {
  /** How many tasks to deal with at once; 500 unless told otherwise. */
  readonly limit?: number | undefined
  /** Stops driving; what is left is done by the chore. */
  readonly signal?: AbortSignal | undefined
}

/** Doing something to all tasks that match a filter. */
export class Bulk extends Operations {
  /**
   * Starts something that is done to all tasks that match now, page by page. Whoever iterates over
   * the answer or waits for it drives it; should they stop, a chore goes on with it after 5 seconds.
   * Started in a transaction (`on`), it can be driven after the commit.
   *
   * @example
   * ```ts
   * const operation = await tusk.operate({ action: 'retry', filter: { queue: 'mail', state: 'failed' } })
   * for await (const { done, refused, progress } of operation) show(done, refused, progress)
   * ```
   */
  async operate(
    { action, filter, runAt, changes }: OperateOptions,
    { on = this.db, ...drive }: On & DriveOptions = {},
  ): Promise<OperationHandle> {
    const given = argumentsOf({ runAt, changes })
    const id = await this.verbs.startOperation(on, action, filterInSql(filter), given)
    return this.driveOperation(id, drive)
  }

  /** How many tasks operate() would find now, and the newest of them; at least so many if it is not exact. */
  countOperation(
    { action, filter, ...given }: OperateOptions,
    options: CountOptions = {},
  ): Promise<OperationCount> {
    const asked = argumentsOf(given)
    return this.verbs.countOperation(this.db, action, filterInSql(filter), asked, options)
  }

  /** A handle on an operation that was started before, here or elsewhere. */
  driveOperation(id: string, { limit, signal }: DriveOptions = {}): OperationHandle {
    return driven({
      id,
      advance: () => this.verbs.advanceOperation(this.db, id, limit),
      cancel: () => this.cancelOperation(id),
      signal,
    })
  }

  /** How an operation stands; null if there is none, or none any more. */
  operation(id: string, { on = this.db }: On = {}): Promise<Operation | null> {
    return this.verbs.operation(on, id)
  }

  /** The operations of the last days, the newest first. */
  operations(page: OperationPage = {}, { on = this.db }: On = {}): Promise<Operation[]> {
    return this.verbs.operations(on, page)
  }

  /** An operation goes no further; what it did stays done. */
  cancelOperation(id: string, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.cancelOperation(on, id)
  }
}

function argumentsOf({ runAt, changes }: Pick<OperateOptions, 'runAt' | 'changes'>) {
  requireTime('runAt', runAt)
  return {
    ...(runAt === undefined ? {} : { run_at: timeLiteral(runAt) }),
    ...(changes === undefined ? {} : { changes }),
  }
}
