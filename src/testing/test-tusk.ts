import pg from 'pg'
import type { Task } from '../client/tasks.ts'
import type { Tusk } from '../client/tusk.ts'
import type { TaskEnd } from '../client/waiting.ts'
import type { Queryable } from '../db/queryable.ts'
import type { Json } from '../engine/task.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type Duration, toInterval } from '../lib/duration.ts'
import { type KnownOptions, requireOptions } from '../lib/require-known.ts'
import type { Tasks } from '../tasks/task-list.ts'
import { describeMiss } from './describe-waiting.ts'
import { emptySchema } from './empty-schema.ts'
import { type AnyFilter, type EnqueuedFilter, filterOptions, isMatch } from './enqueued-filter.ts'
import type { InlineWorker } from './inline-worker.ts'
import { passTime } from './pass-time.ts'
import type { RanTask } from './ran-task.ts'
import { failureOf } from './tell-run.ts'
import type { TestDatabase } from './test-database.ts'

const waiting = ['waiting', 'scheduled', 'retrying', 'blocked', 'ready'] as const
/** A task that always puts itself back, due at once, would run for ever. */
const mostRuns = 10_000

/** How `runAll()` treats a handler that throws. */
export interface RunOptions {
  /** Throws the error of the first attempt that fails, once it is reported. */
  readonly throwOnError?: boolean
}

const runOptions: KnownOptions<RunOptions> = { throwOnError: true }

/** What a test tusk is made of; openTestTusk() puts it together. */
export interface TestParts<T extends Tasks> {
  readonly tusk: Tusk<T>
  readonly verbs: Verbs
  readonly db: Queryable
  readonly database: TestDatabase
  readonly worker: InlineWorker
}

/**
 * A client in a schema of its own, and a worker that runs only when the test asks. Everything is decided
 * by the same Postgres functions as in production; only time passes when the test says so.
 *
 * @example
 * ```ts
 * await using test = await openTestTusk({ tasks })
 *
 * await test.tusk.enqueue('send_mail', { to: 'ada' })
 * const [first] = await test.runAll() // fails, and will be tried again
 * await test.pass('1 minute')
 * const [second] = await test.runAll()
 * ```
 */
export class TestTusk<T extends Tasks = readonly []> implements AsyncDisposable {
  /** The client, for the test and for the code that it tests. */
  readonly tusk: Tusk<T>
  /** The schema that this test has for itself. */
  readonly schema: string
  readonly #parts: TestParts<T>
  #closing: Promise<void> | undefined

  /** Use {@link openTestTusk}. */
  constructor(parts: TestParts<T>) {
    this.tusk = parts.tusk
    this.schema = parts.database.schema
    this.#parts = parts
  }

  /** The connections of this test: to the database that it was opened on. */
  get pool(): pg.Pool {
    return this.#parts.database.pool
  }

  /**
   * Runs what is due, one after the other, and what those tasks enqueue, until nothing is due.
   * Gives what ran. A failing handler does not throw here unless asked: its task is retried by its
   * policy, when its time has come (see {@link TestTusk.pass}).
   *
   * @example
   * ```ts
   * const ran = await test.runAll()
   * assert.deepEqual(ran.map(({ name, outcome }) => [name, outcome]), [['send_mail', 'done']])
   * ```
   */
  async runAll(options: RunOptions = {}): Promise<RanTask[]> {
    const ran = await this.run(mostRuns, options)
    if (ran.length < mostRuns) return ran
    const names = [...new Set(ran.slice(-100).map(({ name }) => name))].join(', ')
    throw new Error(`${mostRuns} tasks ran and more are due, the last ones ${names}; use run(n)`)
  }

  /**
   * Runs at most so many tasks that are due.
   *
   * @example
   * ```ts
   * const [ran] = await test.run(1, { throwOnError: true })
   * ```
   */
  async run(most: number, options: RunOptions = {}): Promise<RanTask[]> {
    requireOptions('run()', options, runOptions)
    const { throwOnError = false } = options
    const { worker } = this.#parts
    await worker.keepHouse()
    const ran: RanTask[] = []
    while (ran.length < most) {
      const now = await worker.runNext(most - ran.length)
      if (now.length === 0) break
      ran.push(...now)
      const failure = now.find(({ outcome }) => outcome === 'failed')
      if (throwOnError && failure !== undefined) throw failureOf(failure)
    }
    return ran
  }

  /**
   * Lets time pass, without waiting: everything recorded becomes so much older. Delays, backoffs,
   * deadlines, leases, windows of keys, limits of groups and retention all see it.
   *
   * @example
   * ```ts
   * await test.pass('2 hours')
   * ```
   */
  async pass(time: Duration): Promise<void> {
    const { db, verbs, worker } = this.#parts
    const interval = toInterval('the time', time)
    await passTime(db, pg.escapeIdentifier(this.schema), interval ?? '0')
    await worker.keepHouse()
    await verbs.sweep(db)
  }

  /**
   * Lets the process die while the next task runs: at its n-th durable call (a step, a transaction, a wait or a
   * spawn), before the database hears of it or after. The run is lost, and the task is tried again by its policy.
   *
   * @example
   * ```ts
   * test.crashAt(2, 'after') // the second step is stored, and the process dies
   * const [lost] = await test.run(1)
   * const [ran] = await test.runAll()
   * ```
   */
  crashAt(call: number, when: 'before' | 'after'): void {
    this.#parts.worker.crashes.plan(call, when)
  }

  /**
   * The tasks that wait, due or not, in the order in which they were enqueued.
   *
   * @example
   * ```ts
   * const mails = await test.enqueued({ name: 'send_mail' })
   * ```
   */
  async enqueued(filter: EnqueuedFilter<T> = {}): Promise<Task[]> {
    requireOptions('the filter of enqueued()', filter as AnyFilter, filterOptions)
    const { queue, key, tag, group } = filter
    const found = await this.#waiting({ queue, key, tag, group })
    return found.filter((task) => isMatch(task, filter))
  }

  /**
   * Throws unless such a task waits; gives the first one that does.
   *
   * @example
   * ```ts
   * const task = await test.expectEnqueued({ name: 'send_mail', payload: { to: 'ada' } })
   * ```
   */
  async expectEnqueued(filter: EnqueuedFilter<T>): Promise<Task> {
    const [task] = await this.enqueued(filter)
    if (task !== undefined) return task
    throw new Error(describeMiss('a task', filter, await this.#waiting({})))
  }

  /**
   * Throws if such a task waits; without a filter, if any does.
   *
   * @example
   * ```ts
   * await test.expectNothingEnqueued({ name: 'send_mail' })
   * ```
   */
  async expectNothingEnqueued(filter: EnqueuedFilter<T> = {}): Promise<void> {
    const found = await this.enqueued(filter)
    if (found.length > 0) throw new Error(describeMiss('nothing', filter, found))
  }

  /**
   * Runs what is due until this task has ended, and tells how. Throws if it does not end without
   * time passing.
   *
   * @example
   * ```ts
   * const task = await test.tusk.enqueue('send_mail', { to: 'ada' })
   * const { state, output } = await test.waitFor(task)
   * ```
   */
  async waitFor<Output = Json>(
    task: string | { readonly id: string; wait(): Promise<Output> },
  ): Promise<TaskEnd<Output>> {
    const { verbs, db } = this.#parts
    const id = typeof task === 'string' ? task : task.id
    for (let runs = 0; runs < mostRuns; runs += 1) {
      const { state, ...rest } = await verbs.watch(db, id, null)
      if (state !== 'queued' && state !== 'running') {
        return { state, ...rest, output: rest.output as Output }
      }
      if ((await this.run(1)).length === 0) break
    }
    throw new Error(await this.#whyNotEnded(id))
  }

  /**
   * Empties the schema: no tasks, no history, all queues and groups as set by default. For
   * `afterEach`, where one test tusk serves many tests.
   *
   * @example
   * ```ts
   * afterEach(() => test.clear())
   * ```
   */
  async clear(): Promise<void> {
    await emptySchema(this.#parts.db, this.schema)
  }

  /** Closes the client and drops the schema. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    await this.tusk.close()
    await this.#parts.database.close()
  }

  async #waiting(filter: Pick<AnyFilter, 'queue' | 'key' | 'tag' | 'group'>): Promise<Task[]> {
    const all: Task[] = []
    for (let before: string | undefined; ; ) {
      const { tasks, next } = await this.tusk.tasks.list(
        { ...filter, state: waiting },
        { limit: 500, before },
      )
      all.push(...tasks)
      if (next === null) return all.reverse()
      before = next
    }
  }

  async #whyNotEnded(id: string): Promise<string> {
    const task = await this.tusk.tasks.get(id)
    const due = task?.state === 'scheduled' || task?.state === 'retrying'
    const when = due ? ` until ${task.runAt.toISOString()}; use pass()` : ''
    return `task ${id} has not ended, and nothing else is due: it is ${task?.state}${when}`
  }
}
