import type { Queryable } from '../db/queryable.ts'
import type { WorkerInfo as WorkerRow } from '../engine/measuring.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type CamelCase, camelCase } from '../lib/casing.ts'
import type { On } from './on.ts'

/** A process that runs tasks, and the tasks it holds. */
export interface WorkerInfo extends CamelCase<WorkerRow> {}

/** The processes that run tasks. Available as `tusk.workers`. */
export class TuskWorkers {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Lists all workers, and the tasks that each of them holds.
   *
   * @example
   * ```ts
   * const silent = (await tusk.workers.list()).filter(({ beatAt }) => Date.now() - beatAt.getTime() > 60_000)
   * ```
   */
  async list({ on = this.#db }: On = {}): Promise<WorkerInfo[]> {
    return (await this.#verbs.workers(on)).map(camelCase)
  }

  /** Asks a worker to claim no more tasks and to stop when its running tasks have ended. */
  drain(worker: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.drainWorker(on, worker)
  }
}
