import type { Queryable } from '../db/queryable.ts'
import type {
  OccurrencePage,
  Occurrence as OccurrenceRow,
  PlannedTime as PlannedTimeRow,
  Schedule as ScheduleRow,
} from '../engine/schedule.ts'
import type { AppliedSchedule, Backfilled as BackfilledRow } from '../engine/scheduling.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type CamelCase, camelCase } from '../lib/casing.ts'
import type { AnyTask } from '../tasks/define-task.ts'
import { scheduleInSql, schedulesInSql } from '../tasks/schedule-in-sql.ts'
import type { Planning, ScheduleSettings, Schedules } from '../tasks/schedule-settings.ts'
import type { Tasks } from '../tasks/task-list.ts'
import type { On } from './on.ts'

/** A schedule, and how it stands. */
export interface Schedule extends CamelCase<ScheduleRow> {}

/** What became of one planned time of a schedule. */
export interface Occurrence extends CamelCase<OccurrenceRow> {}

/** A time at which a schedule will fire. */
export interface PlannedTime extends CamelCase<PlannedTimeRow> {}

/** How many tasks backfill() made; `moreFrom` is where to go on if the limit cut it short. */
export interface Backfilled extends CamelCase<BackfilledRow> {}

/** Plans that make tasks: `tusk.schedules`. */
export class TuskSchedules<T extends Tasks> {
  readonly #verbs: Verbs
  readonly #db: Queryable
  readonly #definitions: ReadonlyMap<string, AnyTask>

  constructor(verbs: Verbs, db: Queryable, definitions: ReadonlyMap<string, AnyTask>) {
    this.#verbs = verbs
    this.#db = db
    this.#definitions = definitions
  }

  /**
   * Creates a schedule or changes it. Returns the next planned time. What is left out stays as it is. The
   * same settings again change nothing, not even the next time.
   *
   * @example
   * ```ts
   * await tusk.schedules.set('nightly report', {
   *   task: { name: 'report', payload: { of: 'yesterday' } },
   *   cron: '30 2 * * *',
   *   zone: 'Europe/Berlin',
   *   overlap: 'skip',
   * })
   * ```
   */
  async set(
    name: string,
    settings: ScheduleSettings<T>,
    { on = this.#db }: On = {},
  ): Promise<Date | null> {
    return this.#verbs.setSchedule(on, name, await scheduleInSql(settings, this.#definitions))
  }

  /**
   * Makes the schedules what a configuration says, all or nothing: what it leaves out of one is the
   * default again. With `prune`, schedules that it does not name are deleted. One whose times have all
   * passed is stored as over, and nothing of it fires.
   *
   * @example
   * ```ts
   * await tusk.schedules.apply({ heartbeat: { task: { name: 'ping' }, every: '1 minute' } })
   * ```
   */
  async apply(
    schedules: Schedules<T>,
    { on = this.#db, prune = false }: On & { readonly prune?: boolean } = {},
  ): Promise<AppliedSchedule[]> {
    const inSql = await schedulesInSql(schedules, this.#definitions)
    return this.#verbs.applySchedules(on, inSql, prune, true)
  }

  /** All schedules, by name. */
  async list({ on = this.#db }: On = {}): Promise<Schedule[]> {
    return (await this.#verbs.schedules(on)).map(camelCase)
  }

  /** One schedule; null if there is none of that name. */
  async get(name: string, { on = this.#db }: On = {}): Promise<Schedule | null> {
    const row = await this.#verbs.schedule(on, name)
    return row === null ? null : camelCase(row)
  }

  /** What became of the planned times of a schedule, the newest first. */
  async occurrences(
    name: string,
    { on = this.#db, ...page }: OccurrencePage & On = {},
  ): Promise<Occurrence[]> {
    return (await this.#verbs.occurrences(on, name, page)).map(camelCase)
  }

  /** Pauses a schedule: its planned times are recorded as skipped. */
  pause(name: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.pauseSchedule(on, name)
  }

  /** Resumes a schedule from its next time on. Times that were skipped stay skipped. */
  resume(name: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.resumeSchedule(on, name)
  }

  /** Fires a schedule now, besides its planned times. Returns the id of the task. */
  run(name: string, { on = this.#db }: On = {}): Promise<string> {
    return this.#verbs.runSchedule(on, name)
  }

  /**
   * The next times of a schedule, or those that settings would give, as the clocks of its zone will
   * show them.
   *
   * @example
   * ```ts
   * const times = await tusk.schedules.preview({ cron: '0 9 * * MON', zone: 'Europe/Berlin' }, { count: 3 })
   * ```
   */
  async preview(
    of: string | Planning,
    {
      on = this.#db,
      count = 10,
      from,
    }: On & { readonly count?: number; readonly from?: Date } = {},
  ): Promise<PlannedTime[]> {
    const given = typeof of === 'string' ? of : await scheduleInSql(of, this.#definitions)
    return (await this.#verbs.previewSchedule(on, given, count, from ?? null)).map(camelCase)
  }

  /**
   * Fires the planned times of a range that are missing or were skipped, never one twice. When `limit`
   * cut it short, `moreFrom` says where to go on.
   *
   * @example
   * ```ts
   * await tusk.schedules.backfill('nightly report', new Date('2026-11-01'), new Date('2026-11-08'))
   * ```
   */
  async backfill(
    name: string,
    from: Date,
    to: Date,
    { on = this.#db, limit }: On & { readonly limit?: number } = {},
  ): Promise<Backfilled> {
    return camelCase(await this.#verbs.backfill(on, name, from, to, limit))
  }

  /** Deletes a schedule with its occurrences. The tasks that it made stay. */
  delete(name: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.deleteSchedule(on, name)
  }
}
