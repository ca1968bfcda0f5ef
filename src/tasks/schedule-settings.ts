import type { Drift, Misfire, Overlap } from '../engine/schedule.ts'
import type { Duration } from '../lib/duration.ts'
import type { EnqueueOptions, RawTask } from './enqueue-options.ts'
import type { NamedTask } from './named-task.ts'
import type { Tasks } from './task-list.ts'

/** The times of a schedule, and how it behaves. Null restores a default. */
export interface Planning {
  /** Five fields, or six that begin with seconds; names, `L`, `W`, `#` and nicknames such as `@daily`. */
  readonly cron?: string | null | undefined
  /** An interval, such as `'15 minutes'` or `'1 month'`. */
  readonly every?: Duration | null | undefined
  /** A single time. A text without an offset is local time in `zone`. */
  readonly at?: Date | string | null | undefined
  /** The time zone, such as `Europe/Berlin`. Default: UTC. */
  readonly zone?: string | null | undefined
  /** The first possible time. `every` counts from here. */
  readonly startsAt?: Date | string | null | undefined
  /** The last possible time. */
  readonly endsAt?: Date | string | null | undefined
  /** Each task is delayed by up to this much, by an amount that depends only on its planned time. */
  readonly jitter?: Duration | null | undefined
  /** What happens to missed times: fire only the newest (`once`), `skip` them, or fire `all` up to `catchUp`. */
  readonly misfire?: Misfire | null | undefined
  /** A time that is later than this counts as missed; one that is less late still fires. Default: one minute. */
  readonly misfireAfter?: Duration | null | undefined
  /** The most missed times that fire with `misfire: 'all'`. Default: 100, at most 1,000. */
  readonly catchUp?: number | null | undefined
  /**
   * What happens while a task of the schedule is live: `allow` another, `skip` the new one, `queue` it, or `cancel` the
   * live one.
   */
  readonly overlap?: Overlap | null | undefined
  /** Whether `every` counts from the `planned` time or from when the last task has `finished`. */
  readonly drift?: Drift | null | undefined
  /** How long the history of the schedule is kept. Default: 30 days. */
  readonly keep?: Duration | null | undefined
}

/** The schedule sets the time, so its tasks cannot. */
type TimelessOptions = Omit<EnqueueOptions, 'on' | 'runAt' | 'delay' | 'deadline'>

/** What a schedule enqueues: a declared task by name, or a task that is not declared here. */
export type ScheduledTask<T extends Tasks> =
  | NamedTask<T, TimelessOptions>
  | (TimelessOptions &
      Pick<RawTask, 'queue' | 'payload' | 'handler' | 'kind'> & {
        readonly name?: never
      })

interface SettingsWith<Task> extends Planning {
  readonly task?: Task | undefined
}

/**
 * The settings of a schedule. What you leave out keeps its value; a new schedule needs a task and one of `cron`,
 * `every` and `at`.
 */
export type ScheduleSettings<T extends Tasks = readonly []> = SettingsWith<ScheduledTask<T>>

/** Schedules by name. */
export type Schedules<T extends Tasks = readonly []> = Readonly<Record<string, ScheduleSettings<T>>>
