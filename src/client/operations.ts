import type { Queryable } from '../db/queryable.ts'
import type { EventPage, Following, TaskEvent } from '../engine/following.ts'
import type { ChoreStats, Leader } from '../engine/leading.ts'
import type {
  Attempt,
  CountOptions,
  LogLine,
  Page,
  TaskCount,
  TaskFilter,
  TaskPage,
} from '../engine/looking.ts'
import type {
  ErrorGroup,
  ErrorGroupOptions,
  GroupStats,
  QueueStats,
  QueueTotal,
  SeriesOptions,
  SeriesPoint,
  WorkerInfo,
} from '../engine/measuring.ts'
import type { Json, Task } from '../engine/task.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type GroupSettings, inSql, type QueueSettings } from './settings.ts'

/** Where a verb runs: the client's own connections, or a transaction of the caller's. */
export interface On {
  readonly on?: Queryable | undefined
}

/** What people do with tasks, queues and groups once they are there. */
export class Operations {
  protected readonly verbs: Verbs
  protected readonly db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.verbs = verbs
    this.db = db
  }

  /** One task, live or finished; null if there is none, or none any more. */
  task(id: string, { on = this.db }: On = {}): Promise<Task | null> {
    return this.verbs.task(on, id)
  }

  /**
   * Tasks that match all that is given, the newest first, a page at a time. A page is read from where
   * the last one ended: it costs the same however far one has come. When few tasks match, a page may be
   * short, even empty, and have a `next`: no page takes much longer than `within`.
   *
   * @example
   * ```ts
   * for (let before: string | undefined; ; ) {
   *   const { tasks, next } = await tusk.tasks({ queue: 'mail', state: 'failed' }, { before })
   *   for (const task of tasks) await tusk.retry(task.id)
   *   if (next === null) break
   *   before = next
   * }
   * ```
   */
  tasks(filter: TaskFilter = {}, page: Page = {}): Promise<TaskPage> {
    return this.verbs.pageTasks(this.db, filter, page)
  }

  /** How many tasks match, up to a number and within a time; at least so many if it is not exact. */
  countTasks(filter: TaskFilter = {}, options: CountOptions = {}): Promise<TaskCount> {
    return this.verbs.countTasks(this.db, filter, options)
  }

  /** The attempts of a task that did not succeed, with their errors. */
  attempts(id: string): Promise<Attempt[]> {
    return this.verbs.attempts(this.db, id)
  }

  /** The lines that a task wrote while it ran; with `after`, those that came after a line. */
  logs(id: string, { after }: { after?: string | undefined } = {}): Promise<LogLine[]> {
    return this.verbs.logs(this.db, id, after)
  }

  /** Stops a task that waits or runs. Whoever runs it is told, and its result will be refused. */
  cancel(id: string, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.cancel(on, id)
  }

  /**
   * Stops many; answers with those it stopped, leaving out what had ended. More than 1,000 are stopped in rounds
   * that commit by themselves, unless you pass a transaction (`on`).
   */
  cancelMany(ids: readonly string[], { on = this.db }: On = {}): Promise<string[]> {
    return this.verbs.cancelMany(on, ids)
  }

  /**
   * Gives a task that runs up for good: it fails, whatever attempts are left. Whoever runs it is told,
   * and its result will be refused.
   */
  killRunning(
    id: string,
    { on = this.db, error = null }: On & { error?: Json | undefined } = {},
  ): Promise<void> {
    return this.verbs.killRunning(on, id, error)
  }

  /**
   * Brings a task that ended back under its own id, with all its attempts: now or at a time, with
   * its old payload or a mended one.
   */
  retry(
    id: string,
    {
      on = this.db,
      runAt,
      payload,
    }: On & { runAt?: Date | undefined; payload?: Json | undefined } = {},
  ): Promise<void> {
    return this.verbs.retry(on, id, runAt ?? null, payload)
  }

  /** Gives a task that waits another time to run. */
  move(id: string, runAt: Date, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.move(on, id, runAt)
  }

  /** Removes a task with all that is known of it. One that runs loses its lease. */
  delete(id: string, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.delete(on, id)
  }

  /** Removes many, in rounds like cancelMany(); answers with those that were there. */
  deleteMany(ids: readonly string[], { on = this.db }: On = {}): Promise<string[]> {
    return this.verbs.deleteMany(on, ids)
  }

  /**
   * Changes a task: of one that waits everything but its queue, kind, handler and key, of one that runs
   * what comes after the run. Null puts the default back.
   *
   * @example
   * ```ts
   * await tusk.amend('42', { priority: 5, run_at: '2030-01-01T09:00:00Z' })
   * ```
   */
  amend(
    id: string,
    changes: Readonly<Record<string, Json>>,
    { on = this.db }: On = {},
  ): Promise<void> {
    return this.verbs.amend(on, id, changes)
  }

  /** Nothing more of a queue starts; what runs goes on. */
  pause(queue: string, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.pause(on, queue)
  }

  resume(queue: string, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.resume(on, queue)
  }

  /** Nothing more of a group starts, in any queue. */
  pauseGroup(group: string, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.pauseGroup(on, group)
  }

  resumeGroup(group: string, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.resumeGroup(on, group)
  }

  /**
   * Changes the settings of a queue; they hold from the next claim on. The queue `*` has the defaults.
   *
   * @example
   * ```ts
   * await tusk.setQueue('mail', { maxRunning: 10, keepDone: '1 day' })
   * ```
   */
  setQueue(queue: string, settings: QueueSettings, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.setQueue(on, queue, inSql(settings))
  }

  /**
   * Changes the limits of a group; they hold from the next claim on.
   *
   * @example
   * ```ts
   * await tusk.setGroup('customer 42', { maxRunning: 2, rate: 100, rateWindow: '1 minute' })
   * ```
   */
  setGroup(group: string, settings: GroupSettings, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.setGroup(on, group, inSql(settings))
  }

  /** What waits and runs in each queue, and what happened in the last hour. */
  queueStats(): Promise<QueueStats[]> {
    return this.verbs.queueStats(this.db)
  }

  /** What happened in each queue since the beginning, and how many tasks live in it now, exactly. */
  queueTotals(): Promise<QueueTotal[]> {
    return this.verbs.queueTotals(this.db)
  }

  /**
   * What happened over time, in one queue or in all: counts, and how long attempts waited and ran.
   *
   * @example
   * ```ts
   * const points = await tusk.series({ queue: 'mail', from: new Date(Date.now() - 86_400_000), width: 600 })
   * ```
   */
  series(options: SeriesOptions = {}): Promise<SeriesPoint[]> {
    return this.verbs.series(this.db, options)
  }

  /** Failures that say the same, the latest first; at most half a minute behind. */
  errorGroups(options: ErrorGroupOptions = {}): Promise<ErrorGroup[]> {
    return this.verbs.errorGroups(this.db, options)
  }

  /** The limits of each group, and how much of them is in use. */
  groupStats(): Promise<GroupStats[]> {
    return this.verbs.groupStats(this.db)
  }

  /** The processes that run tasks, and what they hold. */
  workers(): Promise<WorkerInfo[]> {
    return this.verbs.workers(this.db)
  }

  /**
   * Has events recorded for all queues, for a while: a minute unless told. Call it again before `until`
   * to go on. `after` is where to begin with events(); whoever saw an event before `since` has missed some.
   */
  follow(time?: string): Promise<Following> {
    return this.verbs.follow(this.db, time)
  }

  /**
   * What happened after an event, in order and without a gap.
   *
   * @example
   * ```ts
   * let { after } = await tusk.follow('1 minute')
   * for (const event of await tusk.events({ after })) {
   *   after = event.id
   *   console.log(event.event, event.task)
   * }
   * ```
   */
  events(page: EventPage = {}): Promise<TaskEvent[]> {
    return this.verbs.events(this.db, page)
  }

  /** Asks a worker to take nothing more and to stop when it is done. */
  drainWorker(worker: string, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.drainWorker(on, worker)
  }

  /** Who does which chore now, whatever the strategy. */
  leaders(): Promise<Leader[]> {
    return this.verbs.leaders(this.db)
  }

  /** Every chore, how it goes, and what is wrong with who does it. */
  chores(): Promise<ChoreStats[]> {
    return this.verbs.choreStats(this.db)
  }

  /** Asks whoever leads a chore to give it up to another worker; answers who was asked, or null. */
  resign(chore: string, { on = this.db }: On = {}): Promise<string | null> {
    return this.verbs.resign(on, chore)
  }
}
