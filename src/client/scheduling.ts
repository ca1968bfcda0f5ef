import type { Queryable } from '../db/queryable.ts'
import type { Occurrence, OccurrencePage, PlannedTime, Schedule } from '../engine/schedule.ts'
import type { AppliedSchedule, Backfilled } from '../engine/scheduling.ts'
import type { Verbs } from '../engine/verbs.ts'
import type { AnyTask } from '../tasks/define-task.ts'
import { scheduleInSql, schedulesInSql } from '../tasks/schedule-in-sql.ts'
import type { Planning, ScheduleSettings, Schedules } from '../tasks/schedule-settings.ts'
import type { Tasks } from '../tasks/task-list.ts'
import type { On } from './operations.ts'
import { Pulling } from './pulling.ts'

/** What people do with schedules. */
export class Scheduling<T extends Tasks> extends Pulling {
  readonly #definitions: ReadonlyMap<string, AnyTask>

  constructor(verbs: Verbs, db: Queryable, definitions: ReadonlyMap<string, AnyTask>) {
    super(verbs, db)
    this.#definitions = definitions
  }

  /**
   * Plans tasks, or changes the plan; answers with the next planned time. What is left out stays as it
   * is. The same settings again change nothing, not even the next time.
   *
   * @example
   * ```ts
   * await tusk.setSchedule('nightly report', {
   *   task: { name: 'report', payload: { of: 'yesterday' } },
   *   cron: '30 2 * * *',
   *   zone: 'Europe/Berlin',
   *   overlap: 'skip',
   * })
   * ```
   */
  async setSchedule(
    name: string,
    settings: ScheduleSettings<T>,
    { on = this.db }: On = {},
  ): Promise<Date | null> {
    return this.verbs.setSchedule(on, name, await scheduleInSql(settings, this.#definitions))
  }

  /**
   * Makes the schedules what a configuration says, all or nothing: what one leaves out is the default
   * again. With `prune`, schedules that it does not name are deleted. One whose times all lie behind is
   * stored as over, and nothing of it fires.
   *
   * @example
   * ```ts
   * await tusk.applySchedules({ heartbeat: { task: { name: 'ping' }, every: '1 minute' } })
   * ```
   */
  async applySchedules(
    schedules: Schedules<T>,
    { on = this.db, prune = false }: On & { readonly prune?: boolean } = {},
  ): Promise<AppliedSchedule[]> {
    const inSql = await schedulesInSql(schedules, this.#definitions)
    return this.verbs.applySchedules(on, inSql, prune, true)
  }

  /** All schedules, by name. */
  schedules(): Promise<Schedule[]> {
    return this.verbs.schedules(this.db)
  }

  /** One schedule; null if there is none. */
  schedule(name: string, { on = this.db }: On = {}): Promise<Schedule | null> {
    return this.verbs.schedule(on, name)
  }

  /** What became of the planned times of a schedule, the newest first. */
  occurrences(name: string, page: OccurrencePage = {}): Promise<Occurrence[]> {
    return this.verbs.occurrences(this.db, name, page)
  }

  /** Nothing more of a schedule fires; its times are recorded as skipped. */
  pauseSchedule(name: string, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.pauseSchedule(on, name)
  }

  /** From its next time on; what was skipped meanwhile stays skipped. */
  resumeSchedule(name: string, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.resumeSchedule(on, name)
  }

  /** Fires now, besides its planned times; answers with the id of the task. */
  runSchedule(name: string, { on = this.db }: On = {}): Promise<string> {
    return this.verbs.runSchedule(on, name)
  }

  /**
   * The next times of a schedule, or those that settings would give, as the clocks of its zone will
   * show them.
   *
   * @example
   * ```ts
   * const times = await tusk.previewSchedule({ cron: '0 9 * * MON', zone: 'Europe/Berlin' }, { count: 3 })
   * ```
   */
  async previewSchedule(
    of: string | Planning,
    { count = 10, from }: { readonly count?: number; readonly from?: Date } = {},
  ): Promise<PlannedTime[]> {
    const given = typeof of === 'string' ? of : await scheduleInSql(of, this.#definitions)
    return this.verbs.previewSchedule(this.db, given, count, from ?? null)
  }

  /**
   * Fires the planned times of a range that are missing or were skipped, never one twice. When `limit`
   * cut it short, `more_from` says where to go on.
   *
   * @example
   * ```ts
   * await tusk.backfill('nightly report', new Date('2026-11-01'), new Date('2026-11-08'))
   * ```
   */
  backfill(
    name: string,
    from: Date,
    to: Date,
    { on = this.db, limit }: On & { readonly limit?: number } = {},
  ): Promise<Backfilled> {
    return this.verbs.backfill(on, name, from, to, limit)
  }

  /** Removes a schedule with its occurrences; the tasks that it made stay. */
  deleteSchedule(name: string, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.deleteSchedule(on, name)
  }
}
