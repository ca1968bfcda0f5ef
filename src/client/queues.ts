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

/** Where the tasks of a queue are delivered to. */
export interface PushInfo extends CamelCase<PushRow> {}

/** What waits and runs in a queue. Counts of waiting tasks stop at 10,000. */
export interface QueueStats extends CamelCase<StatsRow> {}

/**
 * What happened in a queue since the beginning, and what lives in it now. `waits` and `runs` count
 * attempts by how long they took, up to the bounds of {@link durationBuckets} and, last, beyond them;
 * null before the first were counted.
 */
export interface QueueTotal extends CamelCase<TotalRow> {}

/** What happened within `width` seconds from `at` on. Times in seconds; null where no attempt ended. */
export interface SeriesPoint extends CamelCase<SeriesRow> {}

/** How the latest tasks of a handler went. Times in seconds; `since` is the oldest end that was counted. */
export interface HandlerStats extends CamelCase<HandlerStatsRow> {}

/** Settings, pauses and numbers of queues: `tusk.queues`. */
export class TuskQueues {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Changes the settings of a queue. They apply from the next claim on. The queue `*` has the defaults.
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
   * Has the tasks of a queue delivered to an endpoint over HTTPS, by workers that push; null ends it. The
   * secrets stay where the workers run: name the place.
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

  /** The queues whose tasks are delivered to an endpoint. */
  async pushes({ on = this.#db }: On = {}): Promise<PushInfo[]> {
    return (await this.#verbs.pushes(on)).map(camelCase)
  }

  /** Pauses a queue: no further task of it starts, running tasks go on. */
  pause(queue: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.pause(on, queue)
  }

  /** Lets the tasks of a paused queue start again. */
  resume(queue: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.resume(on, queue)
  }

  /**
   * What waits and runs in each queue, and what happened in the last hour.
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

  /** Why the first due task of a queue cannot start, for each queue in which one cannot. Of all queues, unless you name some. */
  explain(queues?: readonly string[], { on = this.#db }: On = {}): Promise<QueueWaitReason[]> {
    return this.#verbs.explainQueues(on, queues)
  }

  /** What happened in each queue since the beginning, and how many tasks live in it now, exactly. */
  async totals({ on = this.#db }: On = {}): Promise<QueueTotal[]> {
    return (await this.#verbs.queueTotals(on)).map(camelCase)
  }

  /**
   * What happened over time, in one queue or in all: counts, and how long attempts waited and ran.
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
   * How the latest tasks of each handler went, and how long they waited and ran.
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

  /** Each setting as it holds in a queue, and where it comes from: the queue, all queues (`*`), or the default. */
  settings(queue: string, { on = this.#db }: On = {}): Promise<SettingInForce[]> {
    return this.#verbs.readSettings(on, queue)
  }
}
