import type { Drift, Misfire, Overlap } from '../engine/schedule.ts'
import type { Duration } from '../lib/duration.ts'
import type { EnqueueOptions, RawTask } from './enqueue-options.ts'
import type { NamedTask } from './named-task.ts'
import type { Tasks } from './task-list.ts'

/** When a schedule comes, and how it behaves. Null puts the default back. */
export interface Planning {
  /** Five fields, or six that begin with seconds; names, `L`, `W`, `#` and nicknames such as `@daily`. */
  readonly cron?: string | null | undefined
  /** An interval, such as `'15 minutes'` or `'1 month'`. */
  readonly every?: Duration | null | undefined
  /** A single time. A text without an offset is meant in `zone`. */
  readonly at?: Date | string | null | undefined
  /** The place whose clocks count, such as `Europe/Berlin`; UTC unless told otherwise. */
  readonly zone?: string | null | undefined
  /** Not before this time; an `every` is counted from here. */
  readonly startsAt?: Date | string | null | undefined
  /** Not after this time. */
  readonly endsAt?: Date | string | null | undefined
  /** Each task may run up to so much later, by a share that depends on its planned time alone. */
  readonly jitter?: Duration | null | undefined
  /** What becomes of times that were missed: fire the newest `once`, `skip` them, or `all` up to `catchUp`. */
  readonly misfire?: Misfire | null | undefined
  /** A time so late is missed, an earlier one is fired although late; a minute unless told otherwise. */
  readonly misfireAfter?: Duration | null | undefined
  /** Most missed times that fire with `misfire: 'all'`; 100 unless told otherwise, at most 1,000. */
  readonly catchUp?: number | null | undefined
  /** While a task of the schedule is live: `allow` another, `skip` it, `queue` it up, or `cancel` the live one. */
  readonly overlap?: Overlap | null | undefined
  /** Whether `every` counts from the `planned` time or from when the last task has `finished`. */
  readonly drift?: Drift | null | undefined
  /** How long occurrences are kept; 30 days unless told otherwise. */
  readonly keep?: Duration | null | undefined
}

/** A schedule has the time; its tasks have none of their own. */
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
 * What a schedule can be set to. What is left out stays as it is; a new one needs a task and one of
 * `cron`, `every` and `at`.
 */
export type ScheduleSettings<T extends Tasks = readonly []> = SettingsWith<ScheduledTask<T>>

/** Schedules by name. */
export type Schedules<T extends Tasks = readonly []> = Readonly<Record<string, ScheduleSettings<T>>>
