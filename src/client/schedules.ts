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

/** A schedule and its current state. */
export interface Schedule extends CamelCase<ScheduleRow> {}

/** What happened at one planned time of a schedule. */
export interface Occurrence extends CamelCase<OccurrenceRow> {}

/** A time at which a schedule will fire. */
export interface PlannedTime extends CamelCase<PlannedTimeRow> {}

/** How many tasks backfill() created. If the limit stopped it, `moreFrom` is where to go on. */
export interface Backfilled extends CamelCase<BackfilledRow> {}

/** Schedules, which create tasks at planned times. Available as `tusk.schedules`. */
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
   * Creates or changes a schedule. Returns the next planned time. Settings that you leave out keep their value. The
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
   * Makes the schedules match a configuration, all or nothing. Settings that it leaves out return to their defaults.
   * With `prune`, schedules that it does not name are deleted. A schedule whose times have all passed is stored as
   * ended, and never fires.
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

  /** Lists all schedules, by name. */
  async list({ on = this.#db }: On = {}): Promise<Schedule[]> {
    return (await this.#verbs.schedules(on)).map(camelCase)
  }

  /** Returns one schedule. Null if it does not exist. */
  async get(name: string, { on = this.#db }: On = {}): Promise<Schedule | null> {
    const row = await this.#verbs.schedule(on, name)
    return row === null ? null : camelCase(row)
  }

  /** Lists what happened at the planned times of a schedule, the newest first. */
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

  /** Resumes a schedule from its next planned time. Times that were skipped stay skipped. */
  resume(name: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.resumeSchedule(on, name)
  }

  /** Fires a schedule now, in addition to its planned times. Returns the id of the task. */
  run(name: string, { on = this.#db }: On = {}): Promise<string> {
    return this.#verbs.runSchedule(on, name)
  }

  /**
   * Returns the next times of a schedule, or of settings that you try out, in the local time of its zone.
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
   * Fires the planned times in a range that are missing or were skipped. No time fires twice. If `limit` stopped it,
   * `moreFrom` says where to go on.
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

  /** Deletes a schedule and its history. The tasks that it created stay. */
  delete(name: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.deleteSchedule(on, name)
  }
}
