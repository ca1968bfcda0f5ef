import type pg from 'pg'
import { overPool } from '../db/on-pool.ts'
import type { SqlOutput } from '../engine/sql-output.ts'
import type { Json } from '../engine/task.ts'
import { TuskError } from '../lib/errors.ts'
import { requireOptions } from '../lib/require-known.ts'
import {
  type EnqueueOptions,
  enqueueOptions,
  type RawTask,
  withoutUndefined,
} from '../tasks/enqueue-options.ts'
import type { AnyOutput, EnqueueArguments, NamedTask } from '../tasks/named-task.ts'
import type { OutputOf, TaskName, Tasks } from '../tasks/task-list.ts'
import { TuskAudit } from './audit.ts'
import { TuskChores } from './chores.ts'
import { TuskClaims } from './claims.ts'
import type { EnqueuePath } from './enqueue-path.ts'
import { TuskEvents } from './events.ts'
import { TuskGrants } from './grants.ts'
import { TuskGroups } from './groups.ts'
import { checked } from './nouns.ts'
import type { On } from './on.ts'
import { type ClientParts, openParts } from './open-parts.ts'
import { TuskOperations } from './operations.ts'
import type { TuskOptions } from './options.ts'
import { TuskQueues } from './queues.ts'
import { TuskSchedules } from './schedules.ts'
import { type SqlTaskOptions, sqlTask, statementTask } from './sql-task.ts'
import { type TaskHandle, taskHandle } from './task-handle.ts'
import { TuskTasks } from './tasks.ts'
import { TuskTokens } from './tokens.ts'
import { closed, outputOf, type TaskEnd, type WaitOptions } from './waiting.ts'
import { TuskWorkers } from './workers.ts'

/**
 * The client: enqueues tasks, waits for them and manages them. One per process is enough; it is safe to share, and
 * close() releases what it opened. Methods on existing tasks, queues and so on are grouped by noun:
 * `tusk.tasks.retry(id)`, `tusk.queues.pause('mail')`.
 *
 * Every name you read or write here is camelCase (`task.runAt`); SQL, HTTP and the command line use snake_case
 * (`run_at`). JSON stays as it was stored: payload, meta, output, error, progress. Ids are strings, counts are numbers,
 * times are Dates, durations are text as Postgres writes it. Every method but wait(), waitForEnd() and
 * operations.drive() takes `{ on }`, a transaction to run in.
 *
 * @example
 * ```ts
 * const tusk = await Tusk.open({
 *   database: process.env.DATABASE_URL,
 *   tasks: { send_mail: async (payload: { to: string }) => deliver(payload.to) },
 * })
 *
 * const task = await tusk.enqueue('send_mail', { to: 'ada@example.org' }, { delay: '5 minutes' })
 * const receipt = await task.wait()
 *
 * await tusk.close()
 * ```
 */
export class Tusk<T extends Tasks = readonly []> implements AsyncDisposable {
  /** Reads, cancels, retries, changes and deletes tasks. */
  readonly tasks: TuskTasks
  /** Claims tasks and reports their results, without a worker. */
  readonly claims: TuskClaims
  /** Settings, pauses and statistics of queues. */
  readonly queues: TuskQueues
  /** Limits and pauses of groups. */
  readonly groups: TuskGroups
  /** Schedules, which create tasks at planned times. */
  readonly schedules: TuskSchedules<T>
  /** Applies an action to all tasks that match a filter. */
  readonly operations: TuskOperations
  /** The processes that run tasks. */
  readonly workers: TuskWorkers
  /** Periodic maintenance, and which worker does it. */
  readonly chores: TuskChores
  /** What happens to tasks, as it happens. */
  readonly events: TuskEvents
  /** API tokens for people and programs. */
  readonly tokens: TuskTokens
  /** Which database roles may use which queues. */
  readonly grants: TuskGrants
  /** The audit log: who did what, when and from where. */
  readonly audit: TuskAudit
  readonly #parts: ClientParts
  #closing: Promise<void> | undefined

  private constructor(parts: ClientParts) {
    const { verbs, definitions } = parts
    const db = overPool(parts.database.pool, parts.limit)
    this.tasks = checked('tasks', new TuskTasks(verbs, db))
    this.claims = checked('claims', new TuskClaims(verbs, db))
    this.queues = checked('queues', new TuskQueues(verbs, db))
    this.groups = checked('groups', new TuskGroups(verbs, db))
    this.schedules = checked('schedules', new TuskSchedules(verbs, db, definitions))
    this.operations = checked('operations', new TuskOperations(verbs, db))
    this.workers = checked('workers', new TuskWorkers(verbs, db))
    this.chores = checked('chores', new TuskChores(verbs, db))
    this.events = checked('events', new TuskEvents(verbs, db))
    this.tokens = checked('tokens', new TuskTokens(verbs, db))
    this.grants = checked('grants', new TuskGrants(verbs, db))
    this.audit = checked('audit', new TuskAudit(verbs, db))
    this.#parts = parts
  }

  /**
   * Opens a client on a connection string, on your application's `pg.Pool`, or on the embedded Postgres. Rejects if
   * Tusk is not installed there (`schema_missing`) or older than this version (`schema_behind`). It changes the schema
   * of your database only with `migrate`.
   */
  static async open<const T extends Tasks = readonly []>(
    options: TuskOptions<T> = {},
  ): Promise<Tusk<T>> {
    return new Tusk<T>(await openParts(options))
  }

  /** The connections it uses. You can open a worker on the same database with the settings of this pool. */
  get pool(): pg.Pool {
    return this.#parts.database.pool
  }

  /** Creates a connection that is not connected yet. It bypasses a pooler if `listen` is a URL. */
  newClient(applicationName?: string): pg.Client {
    return this.#parts.database.newClient(applicationName)
  }

  /** The schema that Tusk is installed in. */
  get schema(): string {
    return this.#parts.schema
  }

  /**
   * Enqueues a declared task. Resolves when the task is durable or, with `on`, when it is part of that transaction.
   * Concurrent calls share statements; each settles separately.
   *
   * @example In a transaction of `pg`; for other libraries see `pgtusk/adapters`
   * ```ts
   * await client.query('begin')
   * await client.query('insert into orders …')
   * await tusk.enqueue('send_invoice', { order: 7 }, { on: client, key: 'order 7' })
   * await client.query('commit')
   * ```
   */
  async enqueue<Name extends TaskName<T>>(
    name: Name,
    ...[payload, options]: EnqueueArguments<T, Name>
  ): Promise<TaskHandle<OutputOf<T, Name>>> {
    requireOptions('enqueue()', options, enqueueOptions)
    const given = options === undefined ? undefined : withoutUndefined(options)
    const task = { ...this.#defaults(name), ...given, payload }
    return this.#handle(await this.#path.one(task))
  }

  /**
   * Enqueues many declared tasks in one statement: all of them or none.
   *
   * @example
   * ```ts
   * await tusk.enqueueMany([
   *   { name: 'send_mail', payload: { to: 'ada' } },
   *   { name: 'send_mail', payload: { to: 'bob' }, priority: 5 },
   * ])
   * ```
   */
  async enqueueMany(
    tasks: readonly NamedTask<T>[],
    options: On = {},
  ): Promise<TaskHandle<AnyOutput<T>>[]> {
    requireOptions('enqueueMany()', options, { on: true })
    const asked = tasks.map(({ name, ...options }) => ({
      ...this.#defaults(name),
      ...withoutUndefined(options),
    }))
    const enqueued = await this.#path.many(asked, options.on)
    return enqueued.map((one) => this.#handle(one))
  }

  /**
   * Enqueues a task that is not declared here: one that another service runs, a document or a SQL statement. Only the
   * database checks it.
   *
   * @example
   * ```ts
   * await tusk.enqueueTask({ queue: 'reports', handler: 'monthly', payload: { month: '2026-11' } })
   * ```
   */
  async enqueueTask<Output = Json>(task: RawTask): Promise<TaskHandle<Output>> {
    return this.#handle(await this.#path.one(task))
  }

  /** Enqueues many tasks that are not declared here, in one statement: all of them or none. */
  async enqueueTasks<Output = Json>(
    tasks: readonly RawTask[],
    options: On = {},
  ): Promise<TaskHandle<Output>[]> {
    requireOptions('enqueueTasks()', options, { on: true })
    return (await this.#path.many(tasks, options.on)).map((one) => this.#handle(one))
  }

  /**
   * Enqueues SQL to run in the background: any text, in a session of its own. wait() returns everything that the server
   * answered.
   *
   * @example
   * ```ts
   * const task = await tusk.sql('vacuum analyze accounts', { delay: '1 hour', timeout: '10 minutes' })
   * const { results, notices } = await task.wait()
   * ```
   */
  async sql(text: string, options: SqlTaskOptions = {}): Promise<TaskHandle<SqlOutput>> {
    return this.#handle(await this.#path.one(sqlTask(text, options)))
  }

  /**
   * Enqueues a registered statement with bound parameters, by name or by position. For callers who may not send SQL of
   * their own.
   *
   * @example
   * ```ts
   * await tusk.statement('switch_on', { account: 7 })
   * ```
   */
  async statement(
    name: string,
    params?: Readonly<Record<string, Json>> | readonly Json[],
    options: EnqueueOptions & Pick<SqlTaskOptions, 'maxRows' | 'maxBytes' | 'whole'> = {},
  ): Promise<TaskHandle<SqlOutput>> {
    return this.#handle(await this.#path.one(statementTask(name, params, options)))
  }

  /**
   * Waits until a task has ended and returns its output. Rejects with `task_failed` (the task's error is the cause),
   * `task_cancelled`, `wait_timeout`, or `task_not_found`, also if it ended and was not kept. Keeps waiting while the
   * database restarts.
   *
   * @example
   * ```ts
   * const receipt = await tusk.wait<'send_mail'>(id, { timeout: 10_000 })
   * ```
   */
  async wait<Name extends TaskName<T> = never>(
    id: string,
    options?: WaitOptions,
  ): Promise<[Name] extends [never] ? Json : OutputOf<T, Name>> {
    const output: unknown = outputOf(id, await this.waitForEnd(id, options))
    return output as [Name] extends [never] ? Json : OutputOf<T, Name>
  }

  /** Waits until a task has ended, whatever the result, and returns how it ended. */
  waitForEnd(id: string, options?: WaitOptions): Promise<TaskEnd> {
    return this.#parts.waiting.end(id, options)
  }

  /** Stores the tasks that still wait to be stored, ends all waits, and closes what open() opened. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    const { path, waiting, listener, database } = this.#parts
    await path.idle()
    await waiting.close()
    await listener.close()
    await database.close()
  }

  get #path(): EnqueuePath {
    if (this.#closing !== undefined) throw closed()
    return this.#parts.path
  }

  #handle<Output>(enqueued: { id: string; outcome: TaskHandle<Output>['outcome'] }) {
    return taskHandle<Output>(enqueued, this)
  }

  #defaults(name: string): RawTask {
    const defaults = this.#parts.defaults.get(name)
    if (defaults !== undefined) return defaults
    const known = [...this.#parts.defaults.keys()]
    throw new TuskError('invalid_argument', `no task is named ${JSON.stringify(name)}`, {
      hint:
        known.length === 0
          ? 'Declare it in the `tasks` of Tusk.open(), or use enqueueTask().'
          : `Declared are ${known.join(', ')}; for others use enqueueTask().`,
    })
  }
}
