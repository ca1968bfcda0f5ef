import type { ClockNote } from '../lib/schedule-words/describe-clock-note.ts'
import type { Json, TaskState } from './task.ts'

/** What happens to missed times. */
export type Misfire = 'once' | 'skip' | 'all'

/** What happens at a planned time while a task of the schedule is queued or running. */
export type Overlap = 'allow' | 'skip' | 'queue' | 'cancel'

/** What an interval counts from. */
export type Drift = 'planned' | 'finished'

/**
 * The state of a schedule: `over` has no time left; `running` waits for its task to end before it plans the next time.
 */
export type ScheduleState = 'planned' | 'running' | 'paused' | 'failing' | 'over'

/** A schedule as the view `schedule` shows it. */
export interface Schedule {
  readonly name: string
  readonly state: ScheduleState
  readonly zone: string
  readonly next_at: Date | null
  readonly paused_at: Date | null
  /** Why the engine paused it, such as a revoked token. Null if an operator did. */
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
  /** The id of the token it was set with. Null if it was set without one. */
  readonly token: string | null
  readonly updated_at: Date
  /** The template of its tasks, as enqueue_many(jsonb) takes it. */
  readonly task: Json
}

/** What happened at one planned time of a schedule. */
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
  /** Only those planned earlier: the `planned_at` of the last one that you read. */
  readonly before?: Date | undefined
  readonly outcome?: Occurrence['outcome'] | undefined
  readonly limit?: number | undefined
}

/** A planned time of a schedule. */
export interface PlannedTime {
  readonly planned_at: Date
  /** The local time in its zone, with the offset. */
  readonly local: string
  /** Set if a change of the clocks affects this time. */
  readonly note: ClockNote | null
  /** With a note: the local time in the plan, such as 02:30. */
  readonly meant: string | null
}
