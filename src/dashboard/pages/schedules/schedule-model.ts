import type { Json, Schedule } from '../../model.ts'

/** A schedule with all that it is set to. */
export interface ScheduleDetail extends Schedule {
  readonly zone: string
  readonly paused_at: string | null
  /** Why the engine paused it; null when an operator did. */
  readonly pause_reason: string | null
  readonly last_planned_at: string | null
  readonly last_reason: string | null
  readonly last_fired_at: string | null
  readonly error: Json
  readonly failures: number
  readonly cron: string | null
  readonly every: string | null
  readonly at: string | null
  readonly starts_at: string | null
  readonly ends_at: string | null
  readonly jitter: string | null
  readonly misfire: string
  readonly misfire_after: string
  readonly catch_up: number
  readonly overlap: string
  readonly drift: string
  readonly keep: string
  readonly revision: number
  readonly created_by: string
  readonly created_at: string
  readonly set_by: string
  readonly updated_at: string
  readonly task: Template
}

/** What a schedule enqueues each time, as POST /tasks takes it. */
export type Template = Readonly<Record<string, Json>>

export interface Occurrence {
  readonly planned_at: string
  readonly outcome: 'fired' | 'skipped'
  readonly reason: string | null
  readonly origin: 'schedule' | 'backfill' | 'now'
  readonly task: string | null
  readonly run_at: string | null
  readonly recorded_at: string
}

/** The next times, and the plan in words. */
export interface Preview {
  readonly words: string | null
  readonly items: readonly PlannedTime[]
}

export interface PlannedTime {
  readonly planned_at: string
  /** As the clocks of its zone will show it. */
  readonly local: string
  /** Where a change of the clocks matters. */
  readonly note: string | null
}

const tones: Readonly<Record<string, string>> = {
  planned: 'scheduled',
  running: 'running',
  paused: 'blocked',
  failing: 'failed',
  over: 'cancelled',
}

export function scheduleTone(state: string): string {
  return tones[state] ?? 'plain'
}

export function schedulePath(name: string, deed = ''): string {
  return `/schedules/${encodeURIComponent(name)}${deed}`
}
