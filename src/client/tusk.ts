import type pg from 'pg'
import { cuttable } from '../db/cuttable.ts'
import { Listener } from '../db/listen.ts'
import { type OnPoolOptions, overPool } from '../db/on-pool.ts'
import { isServerPool } from '../db/open-pool.ts'
import { readingOurWay } from '../db/row-types.ts'
import type { SqlOutput } from '../engine/sql-output.ts'
import type { Json } from '../engine/task.ts'
import { openEngine, type Verbs } from '../engine/verbs.ts'
import { TuskError } from '../lib/errors.ts'
import type { AnyTask } from '../tasks/define-task.ts'
import {
  defaultsOf,
  type EnqueueOptions,
  type RawTask,
  withoutUndefined,
} from '../tasks/enqueue-options.ts'
import type { AnyOutput, EnqueueArguments, NamedTask } from '../tasks/named-task.ts'
import { listTasks, type OutputOf, type TaskName, type Tasks } from '../tasks/task-list.ts'
import { batchLimits } from './batcher.ts'
import { EnqueuePath } from './enqueue-path.ts'
import { type ClientDatabase, openDatabase } from './open-database.ts'
import type { On } from './operations.ts'
import { requireTimeout, type TuskOptions, usualQueryTimeoutMs } from './options.ts'
import { Scheduling } from './scheduling.ts'
import { type SqlTaskOptions, sqlTask, statementTask } from './sql-task.ts'
import { type TaskHandle, taskHandle } from './task-handle.ts'
import { openTracing } from './tracing.ts'
import { closed, outputOf, type TaskEnd, Waiting, type WaitOptions } from './waiting.ts'

/** What a client is made of; Tusk.open() puts it together. */
interface Parts {
  readonly schema: string
  readonly database: ClientDatabase
  readonly verbs: Verbs
  readonly definitions: ReadonlyMap<string, AnyTask>
  /** What each declared task is enqueued with unless told otherwise. */
  readonly defaults: ReadonlyMap<string, RawTask>
  readonly path: EnqueuePath
  readonly listener: Listener
  readonly waiting: Waiting
  readonly limit: OnPoolOptions
}

/**
 * The client: enqueues tasks, waits for them, looks after them. One per process is enough; it is
 * safe to share, and close() gives back what it opened.
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
export class Tusk<T extends Tasks = readonly []> extends Scheduling<T> implements AsyncDisposable {
  readonly #parts: Parts
  #closing: Promise<void> | undefined

  private constructor(parts: Parts) {
    super(parts.verbs, overPool(parts.database.pool, parts.limit), parts.definitions)
    this.#parts = parts
  }

  /**
   * Opens a client on a connection string, on a `pg.Pool` of the application's, or on the embedded
   * Postgres. Refuses a database where Tusk is not installed (`schema_missing`) or too old
   * (`schema_behind`); it never changes the schema of a database that was given.
   */
  static async open<const T extends Tasks = readonly []>(
    options: TuskOptions<T> = {},
  ): Promise<Tusk<T>> {
    const { schema = 'tusk', listen = true, middleware } = options
    const verbs = openEngine({ schema })
    const tasks = listTasks(options.tasks ?? [])
    const definitions = new Map(tasks.map((task) => [task.name, task]))
    const defaults = new Map(tasks.map((task) => [task.name, defaultsOf(task)]))
    const limits = batchLimits(options)
    const queryTimeoutMs = requireTimeout(options.queryTimeoutMs ?? usualQueryTimeoutMs)
    const limit = { answerWithinMs: queryTimeoutMs }
    const traced = await openTracing()
    const database = await openDatabase(options.database, {
      schema,
      listenUrl: typeof listen === 'string' ? listen : undefined,
      stateDirectory: options.stateDirectory,
      queryTimeoutMs,
    })
    const { pool, newClient } = database
    const listener = new Listener({ newClient: () => newClient() })
    const waiting = new Waiting({
      watch: (id, time, cuts) =>
        cuttable(pool, cuts, (client) =>
          verbs.watch(readingOurWay(client, isServerPool(pool) ? 0 : queryTimeoutMs), id, time),
        ),
      listener,
      channel: `${schema}:finished`,
      isListening: listen !== false,
    })
    const path = new EnqueuePath({ pool, verbs, definitions, limits, limit, middleware, traced })
    return new Tusk<T>({
      schema,
      database,
      verbs,
      definitions,
      defaults,
      path,
      listener,
      waiting,
      limit,
    })
  }

  /** The connections it uses; a worker on the same database can take its settings from here. */
  get pool(): pg.Pool {
    return this.#parts.database.pool
  }

  /** A connection of its own that is not connected yet; past a pooler, if `listen` names the way. */
  newClient(applicationName?: string): pg.Client {
    return this.#parts.database.newClient(applicationName)
  }

  /** The schema that Tusk is installed in. */
  get schema(): string {
    return this.#parts.schema
  }

  /**
   * Enqueues a declared task. Resolves when it is durable, or with `on` when it is part of that
   * transaction. Concurrent calls share statements; each settles for itself.
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
    { on }: On = {},
  ): Promise<TaskHandle<AnyOutput<T>>[]> {
    const asked = tasks.map(({ name, ...options }) => ({
      ...this.#defaults(name),
      ...withoutUndefined(options),
    }))
    const enqueued = await this.#path.many(asked, on)
    return enqueued.map((one) => this.#handle(one))
  }

  /**
   * Enqueues a task that is not declared here, such as one that another service runs, a document or
   * a SQL statement. Nothing but the database checks it.
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
    { on }: On = {},
  ): Promise<TaskHandle<Output>[]> {
    return (await this.#path.many(tasks, on)).map((one) => this.#handle(one))
  }

  /**
   * Enqueues SQL to run in the background: any text, on a session of its own. Waiting gives everything
   * that the server answered.
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
   * Enqueues a registered statement with bound parameters, by name or by place: for those who may not
   * send SQL of their own.
   *
   * @example
   * ```ts
   * await tusk.statement('switch_on', { account: 7 })
   * ```
   */
  async statement(
    name: string,
    params?: Readonly<Record<string, Json>> | readonly Json[],
    options: EnqueueOptions & Pick<SqlTaskOptions, 'maxRows'> = {},
  ): Promise<TaskHandle<SqlOutput>> {
    return this.#handle(await this.#path.one(statementTask(name, params, options)))
  }

  /**
   * Waits until a task has ended and gives its output. Rejects with `task_failed` (its error is the
   * cause), `task_cancelled`, `wait_timeout`, or `task_not_found`, also when it ended and was not
   * kept. Outlasts restarts of the database.
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

  /** Waits until a task has ended, however that is, and tells how. */
  waitForEnd(id: string, options?: WaitOptions): Promise<TaskEnd> {
    return this.#parts.waiting.end(id, options)
  }

  /** Stores what was asked for, ends all waits, and closes what open() opened. */
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
    return taskHandle<Output>(enqueued, async (id, options) =>
      outputOf(id, await this.waitForEnd(id, options)),
    )
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
