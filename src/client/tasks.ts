import type { Queryable } from '../db/queryable.ts'
import type {
  Chunk,
  Dependency as DependencyRow,
  FamilyMember as FamilyMemberRow,
  Step as StepRow,
} from '../engine/durable.ts'
import type { WaitReason } from '../engine/explaining.ts'
import type {
  Attempt as AttemptRow,
  CountOptions,
  LogLine,
  Page,
  TaskCount,
  TaskFilter,
} from '../engine/looking.ts'
import type { ErrorGroupOptions, ErrorGroup as ErrorGroupRow } from '../engine/measuring.ts'
import type { Json, Task as TaskRow } from '../engine/task.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type CamelCase, camelCase } from '../lib/casing.ts'
import { type Duration, toInterval } from '../lib/duration.ts'
import type { Signal } from '../tasks/durable.ts'
import { encodeJson } from '../tasks/encode-json.ts'
import type { On } from './on.ts'
import { changesInSql, type TaskChanges } from './task-changes.ts'

/** A task, live or finished. */
export interface Task extends CamelCase<TaskRow> {}

/** A failed attempt. */
export interface Attempt extends CamelCase<AttemptRow> {}

/** A step of a durable task. */
export interface Step extends CamelCase<StepRow> {}

/** A task of a family: a parent, or one that it started. */
export interface FamilyMember extends CamelCase<FamilyMemberRow> {}

/** A task that comes after others, or that others come after. */
export interface Dependency extends CamelCase<DependencyRow> {}

/** Failures of a queue with the same error. */
export interface ErrorGroup extends CamelCase<ErrorGroupRow> {}

/**
 * A page of tasks, the newest first. Pass `next` as `before` to get the next page; null means that all tasks were
 * searched. A page may be short, even empty, and still have a `next`: then its time was up.
 */
export interface TaskPage {
  readonly tasks: readonly Task[]
  readonly next: string | null
}

/** Reads, cancels, retries, changes and deletes tasks. Available as `tusk.tasks`. */
export class TuskTasks {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Returns one task, live or finished. Null if it does not exist or is no longer kept.
   *
   * @example
   * ```ts
   * const task = await tusk.tasks.get('42')
   * console.log(task?.state, task?.runAt, task?.payload)
   * ```
   */
  async get(id: string, { on = this.#db }: On = {}): Promise<Task | null> {
    const row = await this.#verbs.task(on, id)
    return row === null ? null : camelCase(row)
  }

  /**
   * Lists tasks that match all conditions, the newest first, a page at a time. A page is read from where the last one
   * ended, so the last page costs as much as the first. If few tasks match, a page may be short, even empty, and still
   * have a `next`: no page takes much longer than `within`.
   *
   * @example
   * ```ts
   * for (let before: string | undefined; ; ) {
   *   const { tasks, next } = await tusk.tasks.list({ queue: 'mail', state: 'failed' }, { before })
   *   for (const task of tasks) await tusk.tasks.retry(task.id)
   *   if (next === null) break
   *   before = next
   * }
   * ```
   */
  async list(
    filter: TaskFilter = {},
    { on = this.#db, ...page }: Page & On = {},
  ): Promise<TaskPage> {
    const { tasks, next } = await this.#verbs.pageTasks(on, filter, page)
    return { tasks: tasks.map(camelCase), next }
  }

  /**
   * Counts the tasks that match, up to a number and within a time. If the count is not `exact`, there are at least that
   * many.
   */
  count(
    filter: TaskFilter = {},
    { on = this.#db, ...options }: CountOptions & On = {},
  ): Promise<TaskCount> {
    return this.#verbs.countTasks(on, filter, options)
  }

  /**
   * Explains why a task waits, the most important reason first. Empty for a task that runs or has ended.
   *
   * @example
   * ```ts
   * const [reason] = await tusk.tasks.explain('42')
   * console.log(reason?.code, reason?.message) // no_worker, no worker serves queue mail
   * ```
   */
  explain(id: string, { on = this.#db }: On = {}): Promise<WaitReason[]> {
    return this.#verbs.explain(on, id)
  }

  /** Lists the failed attempts of a task, with their errors. */
  async attempts(id: string, { on = this.#db }: On = {}): Promise<Attempt[]> {
    return (await this.#verbs.attempts(on, id)).map(camelCase)
  }

  /** Lists the lines that a task logged while it ran; with `after`, those after that line. */
  logs(
    id: string,
    { on = this.#db, after }: On & { readonly after?: string | undefined } = {},
  ): Promise<LogLine[]> {
    return this.#verbs.logs(on, id, after)
  }

  /** Lists failures grouped by error, the latest first. At most half a minute behind. */
  async errorGroups({
    on = this.#db,
    ...options
  }: ErrorGroupOptions & On = {}): Promise<ErrorGroup[]> {
    return (await this.#verbs.errorGroups(on, options)).map(camelCase)
  }

  /** Cancels a task that waits or runs. If it runs, its worker stops it, and its result is rejected. */
  cancel(id: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.cancel(on, id)
  }

  /**
   * Cancels many tasks. Returns the ids of those it cancelled, without those that had ended. More than 1,000 are
   * cancelled in rounds that commit separately, unless you pass a transaction (`on`).
   */
  cancelMany(ids: readonly string[], { on = this.#db }: On = {}): Promise<string[]> {
    return this.#verbs.cancelMany(on, ids)
  }

  /** Fails a running task for good, even if attempts are left. Its worker stops it, and its result is rejected. */
  kill(
    id: string,
    { on = this.#db, error = null }: On & { readonly error?: Json | undefined } = {},
  ): Promise<void> {
    return this.#verbs.killRunning(on, id, error)
  }

  /**
   * Puts a task that has ended back into its queue, with its id and its attempts so far: now or at a time, with its old
   * payload or a new one.
   *
   * @example
   * ```ts
   * await tusk.tasks.retry('42', { payload: { to: 'ada@example.org' } })
   * ```
   */
  retry(
    id: string,
    {
      on = this.#db,
      runAt,
      payload,
      from,
    }: On & {
      readonly runAt?: Date | undefined
      readonly payload?: Json | undefined
      /** A step of a durable task: it and all later steps are forgotten, and run again. */
      readonly from?: string | undefined
    } = {},
  ): Promise<void> {
    return this.#verbs.retry(on, id, runAt ?? null, payload, from ?? null)
  }

  /**
   * Sends a signal to a task, or to the task that has a key, now or later. The signal is kept until the task receives
   * it. Returns the id of the signal.
   *
   * @example
   * ```ts
   * await tusk.tasks.signal('42', 'paid', { by: 'ada' })
   * await tusk.tasks.signal({ queue: 'orders', key: 'order 17' }, 'paid', { by: 'ada' })
   * ```
   */
  signal<Payload = Json>(
    to: string | { readonly queue: string; readonly key: string },
    signal: string | Signal<Payload>,
    payload?: NoInfer<Payload>,
    { on = this.#db, keep = '7 days' }: On & { readonly keep?: Duration | undefined } = {},
  ): Promise<string> {
    const name = typeof signal === 'string' ? signal : signal.name
    const json = encodeJson('payload', payload === undefined ? null : payload)
    if (typeof to === 'string') return this.#verbs.signal(on, to, name, json)
    return this.#verbs.signalKey(on, to, name, json, toInterval('keep', keep) ?? '7 days')
  }

  /** Lists the steps that a task has stored, in order. */
  async steps(id: string, { on = this.#db }: On = {}): Promise<Step[]> {
    return (await this.#verbs.steps(on, id)).map(camelCase)
  }

  /** Returns a task, the tasks it started, and theirs, the nearest first; at most `limit`. */
  async family(
    id: string,
    { on = this.#db, limit = 1_000 }: On & { readonly limit?: number | undefined } = {},
  ): Promise<FamilyMember[]> {
    return (await this.#verbs.family(on, id, limit)).map(camelCase)
  }

  /**
   * Returns a task, those that it comes after (the option `after` of enqueue), those that come after it, and theirs, the
   * nearest first; at most `limit`. A dependency is listed until the task that it waits for has ended.
   */
  async dependencies(
    id: string,
    { on = this.#db, limit = 1_000 }: On & { readonly limit?: number | undefined } = {},
  ): Promise<Dependency[]> {
    return (await this.#verbs.dependencies(on, id, limit)).map(camelCase)
  }

  /** Reads the stream of a task after a position: at most `limit` chunks, in order. */
  chunks(
    id: string,
    {
      on = this.#db,
      after = '0',
      limit = 1_000,
    }: On & { readonly after?: string | undefined; readonly limit?: number | undefined } = {},
  ): Promise<Chunk[]> {
    return this.#verbs.readChunks(on, id, after, limit)
  }

  /** Changes when a waiting task runs. */
  move(id: string, runAt: Date, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.move(on, id, runAt)
  }

  /**
   * Changes a task. Of a waiting task you can change everything except its queue, kind, handler and key; of a running
   * one, what matters after the run. Null restores a default.
   *
   * @example
   * ```ts
   * await tusk.tasks.amend('42', { priority: 5, runAt: new Date('2030-01-01T09:00:00Z') })
   * ```
   */
  async amend(id: string, changes: TaskChanges, { on = this.#db }: On = {}): Promise<void> {
    await this.#verbs.amend(on, id, changesInSql(changes))
  }

  /** Deletes a task with its attempts and log. If it runs, its worker loses the lease. */
  delete(id: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.delete(on, id)
  }

  /** Deletes many tasks, in rounds like cancelMany(). Returns the ids of those that existed. */
  deleteMany(ids: readonly string[], { on = this.#db }: On = {}): Promise<string[]> {
    return this.#verbs.deleteMany(on, ids)
  }
}
