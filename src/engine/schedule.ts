import type { ClockNote } from '../lib/schedule-words/describe-clock-note.ts'
import type { Json, TaskState } from './task.ts'

/** What becomes of planned times that were missed. */
export type Misfire = 'once' | 'skip' | 'all'

/** What happens at a planned time while a task of the schedule is queued or running. */
export type Overlap = 'allow' | 'skip' | 'queue' | 'cancel'

/** What an interval is counted from. */
export type Drift = 'planned' | 'finished'

/** Where a schedule stands: `over` has no time left; `running` waits for the end of its task to plan the next. */
export type ScheduleState = 'planned' | 'running' | 'paused' | 'failing' | 'over'

/** A schedule as the view `schedule` shows it. */
export interface Schedule {
  readonly name: string
  readonly state: ScheduleState
  readonly zone: string
  readonly next_at: Date | null
  readonly paused_at: Date | null
  /** Why the engine paused it, such as a token that was revoked; null when an operator did. */
  readonly pause_reason: string | null
  readonly last_planned_at: Date | null
  readonly last_recorded_at: Date | null
  readonly last_outcome: Occurrence['outcome'] | null
  readonly last_reason: Occurrence['reason']
  readonly last_fired_at: Date | null
  readonly last_task: string | null
  readonly last_task_state: TaskState | null
  /** Why it could not fire the last time: code, message and time. */
  readonly error: Json
  readonly failures: number
  readonly cron: string | null
  readonly every: string | null
  readonly at: Date | null
  /** What `every` counts from. */
  readonly anchor: Date
  readonly starts_at: Date | null
  readonly ends_at: Date | null
  readonly jitter: string
  readonly misfire: Misfire
  readonly misfire_after: string
  readonly catch_up: number
  readonly overlap: Overlap
  readonly drift: Drift
  readonly keep: string
  readonly revision: number
  readonly created_by: string
  readonly created_at: Date
  readonly set_by: string
  /** The id of the token it was set with; null when it was set without one. */
  readonly token: string | null
  readonly updated_at: Date
  /** The template of its tasks, as enqueue_many(jsonb) takes it. */
  readonly task: Json
}

/** What became of one planned time of a schedule. */
export interface Occurrence {
  readonly schedule: string
  readonly planned_at: Date
  readonly outcome: 'fired' | 'skipped'
  readonly reason: 'misfire' | 'overlap' | 'paused' | 'key' | 'error' | null
  readonly origin: 'schedule' | 'backfill' | 'now'
  readonly task: string | null
  readonly run_at: Date | null
  readonly recorded_at: Date
}

/** Which occurrences to read. */
export interface OccurrencePage {
  /** Only those planned before: the `planned_at` of the last one read. */
  readonly before?: Date | undefined
  readonly outcome?: Occurrence['outcome'] | undefined
  readonly limit?: number | undefined
}

/** A time at which a schedule will come. */
export interface PlannedTime {
  readonly planned_at: Date
  /** As the clocks of its zone will show it, with their offset. */
  readonly local: string
  /** Where a change of the clocks matters. */
  readonly note: ClockNote | null
  /** With a note: the time of day that the plan names, such as 02:30. */
  readonly meant: string | null
}
