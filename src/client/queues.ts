import type { Queryable } from '../db/queryable.ts'
import type { QueueWaitReason } from '../engine/explaining.ts'
import type {
  HandlerStatsOptions,
  HandlerStats as HandlerStatsRow,
  SeriesOptions,
  SeriesPoint as SeriesRow,
  QueueStats as StatsRow,
  QueueTotal as TotalRow,
} from '../engine/measuring.ts'
import type { Push, PushInfo as PushRow } from '../engine/pushing.ts'
import type { SettingInForce } from '../engine/queue-settings.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type CamelCase, camelCase } from '../lib/casing.ts'
import type { On } from './on.ts'
import { inSql, type QueueSettings } from './settings.ts'

/** The endpoint that the tasks of a queue are delivered to. */
export interface PushInfo extends CamelCase<PushRow> {}

/** How many tasks wait and run in a queue. Counts of waiting tasks stop at 10,000. */
export interface QueueStats extends CamelCase<StatsRow> {}

/**
 * What has happened in a queue since it was created, and what it holds now. `waits` and `runs` count attempts by
 * duration, up to each bound of {@link durationBuckets} and, last, above them. They are null before the first attempt.
 */
export interface QueueTotal extends CamelCase<TotalRow> {}

/** What happened in the `width` seconds from `at`. Times are in seconds; null where no attempt ended. */
export interface SeriesPoint extends CamelCase<SeriesRow> {}

/** Statistics of the latest tasks of a handler. Times are in seconds; `since` is when the oldest counted task ended. */
export interface HandlerStats extends CamelCase<HandlerStatsRow> {}

/** Settings, pauses and statistics of queues. Available as `tusk.queues`. */
export class TuskQueues {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Changes the settings of a queue. They apply from the next claim. The queue `*` holds the defaults of all queues.
   *
   * @example
   * ```ts
   * await tusk.queues.set('mail', { maxRunning: 10, keepDone: '1 day' })
   * ```
   */
  set(queue: string, settings: QueueSettings, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.setQueue(on, queue, inSql(settings))
  }

  /**
   * Delivers the tasks of a queue to an HTTPS endpoint, by workers that push. Null ends the delivery. Secrets stay on
   * the machines of the workers: name where each is found.
   *
   * @example
   * ```ts
   * await tusk.queues.setPush('mail', {
   *   url: 'https://example.org/tasks',
   *   secrets: [{ env: 'TUSK_SECRET_PUSH' }],
   * })
   * ```
   */
  setPush(queue: string, push: Push | null, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.setPush(on, queue, push)
  }

  /** Lists the queues whose tasks are delivered to an endpoint. */
  async pushes({ on = this.#db }: On = {}): Promise<PushInfo[]> {
    return (await this.#verbs.pushes(on)).map(camelCase)
  }

  /** Pauses a queue: none of its tasks start. Running tasks go on. */
  pause(queue: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.pause(on, queue)
  }

  /** Resumes a queue. Its tasks can start again. */
  resume(queue: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.resume(on, queue)
  }

  /**
   * Lists for each queue what waits, what runs, and what happened in the last hour.
   *
   * @example
   * ```ts
   * for (const { queue, due, failedLastHour } of await tusk.queues.stats()) {
   *   console.log(queue, due, failedLastHour)
   * }
   * ```
   */
  async stats({ on = this.#db }: On = {}): Promise<QueueStats[]> {
    return (await this.#verbs.queueStats(on)).map(camelCase)
  }

  /** Explains, for each queue where the first due task cannot start, why. Checks all queues unless you name some. */
  explain(queues?: readonly string[], { on = this.#db }: On = {}): Promise<QueueWaitReason[]> {
    return this.#verbs.explainQueues(on, queues)
  }

  /** Lists for each queue what has happened since it was created, and exactly how many tasks it holds now. */
  async totals({ on = this.#db }: On = {}): Promise<QueueTotal[]> {
    return (await this.#verbs.queueTotals(on)).map(camelCase)
  }

  /**
   * Statistics over time, of one queue or all: counts, and how long attempts waited and ran.
   *
   * @example
   * ```ts
   * const from = new Date(Date.now() - 86_400_000)
   * const points = await tusk.queues.series({ queue: 'mail', from, width: 600 })
   * ```
   */
  async series({ on = this.#db, ...options }: SeriesOptions & On = {}): Promise<SeriesPoint[]> {
    return (await this.#verbs.series(on, options)).map(camelCase)
  }

  /**
   * Statistics of the latest tasks of each handler: how they ended, how long they waited and ran.
   *
   * @example
   * ```ts
   * for (const { handler, failed, runP95 } of await tusk.queues.handlerStats({ queue: 'mail' })) {
   *   console.log(handler, failed, runP95)
   * }
   * ```
   */
  async handlerStats({
    on = this.#db,
    ...options
  }: HandlerStatsOptions & On = {}): Promise<HandlerStats[]> {
    return (await this.#verbs.handlerStats(on, options)).map(camelCase)
  }

  /** Lists each setting in force in a queue, and where it comes from: the queue, all queues (`*`), or the default. */
  settings(queue: string, { on = this.#db }: On = {}): Promise<SettingInForce[]> {
    return this.#verbs.readSettings(on, queue)
  }
}
