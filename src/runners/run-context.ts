import type { Queryable } from '../db/queryable.ts'
import { toClaimedTask } from '../engine/claim-batch.ts'
import type { ClaimedTask, Json } from '../engine/task.ts'
import type { Context, LogLevel } from '../tasks/context.ts'
import type { Run } from './run.ts'

/** What a handler may do with its task while it runs; the worker lends it the connections for this. */
export interface Errands {
  progress(run: Run, progress: Json): Promise<void>
  log(run: Run, message: string, level: LogLevel): void
  extend(run: Run): Promise<void>
  transaction<Output extends Json>(
    run: Run,
    work: (db: Queryable) => Promise<Output>,
  ): Promise<Output>
}

/**
 * What a handler is given. Everything is made when it is asked for, because most handlers ask for
 * little, and nothing depends on `this`: a handler may take it apart.
 */
export class RunContext implements Context {
  readonly #run: Run
  readonly #errands: Errands
  #task: ClaimedTask | undefined

  constructor(run: Run, errands: Errands) {
    this.#run = run
    this.#errands = errands
  }

  get task(): ClaimedTask {
    this.#task ??= toClaimedTask(this.#run.row)
    return this.#task
  }

  get attempt(): number {
    return this.#run.row.attempt
  }

  get signal(): AbortSignal {
    return this.#run.signal
  }

  get progress(): Context['progress'] {
    return (progress) => this.#errands.progress(this.#run, progress)
  }

  get log(): Context['log'] {
    return (message, level = 'info') => this.#errands.log(this.#run, message, level)
  }

  get extend(): Context['extend'] {
    return () => this.#errands.extend(this.#run)
  }

  get transaction(): Context['transaction'] {
    return (work) => this.#errands.transaction(this.#run, work)
  }
}
