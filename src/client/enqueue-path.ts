import type pg from 'pg'
import type { OnPoolOptions } from '../db/on-pool.ts'
import type { Queryable } from '../db/queryable.ts'
import type { Enqueued, NewTask } from '../engine/task.ts'
import type { Verbs } from '../engine/verbs.ts'
import { checkPayload } from '../tasks/check-payload.ts'
import type { AnyTask } from '../tasks/define-task.ts'
import type { RawTask } from '../tasks/enqueue-options.ts'
import { Batcher, type BatchLimits } from './batcher.ts'
import { newTask } from './new-task.ts'
import type { EnqueueMiddleware } from './options.ts'
import { send } from './sender.ts'
import type { Traced } from './tracing.ts'

export interface EnqueueParts {
  readonly pool: pg.Pool
  readonly verbs: Verbs
  readonly definitions: ReadonlyMap<string, AnyTask>
  readonly limits: BatchLimits
  readonly limit: OnPoolOptions
  readonly middleware: EnqueueMiddleware | undefined
  readonly traced: Traced | undefined
}

/** Stores tasks together, in a transaction if one is given, otherwise in a statement of its own. */
type Store = (tasks: readonly NewTask[], on: Queryable | undefined) => Promise<readonly Enqueued[]>

/**
 * The path of tasks from the caller to the database: the middleware of the application, encoding and schema, the trace,
 * then the statement, which is shared where possible.
 */
export class EnqueuePath {
  readonly #parts: EnqueueParts
  readonly #batcher: Batcher
  #calls = 0
  #onIdle: (() => void) | undefined

  constructor(parts: EnqueueParts) {
    this.#parts = parts
    this.#batcher = new Batcher(
      (tasks) => send(parts.pool, parts.verbs, tasks, parts.limit),
      parts.limits,
    )
  }

  /** Enqueues one task. Outside a transaction it may share its statement with others. */
  async one(task: RawTask): Promise<Enqueued> {
    const [enqueued] = await this.#enqueue([task], task.on, (tasks, on) =>
      on === undefined ? this.#gathered(tasks) : this.#parts.verbs.enqueueTasks(on, tasks),
    )
    if (enqueued === undefined) throw new Error('the middleware answered nothing')
    return enqueued
  }

  /** Enqueues many tasks in one statement, all or none. */
  many(tasks: readonly RawTask[], on: Queryable | undefined): Promise<readonly Enqueued[]> {
    const { pool, verbs, limit } = this.#parts
    return this.#enqueue(tasks, on, (ready, where) =>
      where === undefined ? send(pool, verbs, ready, limit) : verbs.enqueueTasks(where, ready),
    )
  }

  /** Resolves when all calls have ended. */
  async idle(): Promise<void> {
    if (this.#calls === 0) return
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
  }

  async #enqueue(
    tasks: readonly RawTask[],
    on: Queryable | undefined,
    store: Store,
  ): Promise<readonly Enqueued[]> {
    const { middleware, traced } = this.#parts
    const stored = (ready: readonly NewTask[]) => store(ready, on)
    const last = async (asked: readonly RawTask[]) => {
      const ready = asked.map(newTask)
      await this.#check(asked, ready)
      return traced === undefined ? stored(ready) : traced(ready, stored)
    }
    this.#calls += 1
    try {
      return await (middleware === undefined ? last(tasks) : middleware(tasks, last))
    } finally {
      this.#calls -= 1
      if (this.#calls === 0) this.#onIdle?.()
    }
  }

  /** The middleware may have turned one task into several. Each is stored on its own. */
  #gathered(tasks: readonly NewTask[]): Promise<readonly Enqueued[]> {
    return Promise.all(tasks.map((task) => this.#batcher.add(task)))
  }

  /** A schema describes the newest version only. Older payloads are upgraded and checked when they run. */
  async #check(asked: readonly RawTask[], ready: readonly NewTask[]): Promise<void> {
    for (const [place, { queue, handler = queue, version }] of asked.entries()) {
      const definition = this.#parts.definitions.get(handler)
      const json = ready[place]?.payloadJson
      if (definition?.schema === undefined || json === undefined) continue
      if ((version ?? 1) !== (definition.version ?? 1)) continue
      await checkPayload(handler, definition.schema, json)
    }
  }
}
