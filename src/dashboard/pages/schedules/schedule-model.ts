import type { occurrence, preview } from '../../../http/schemas/schedule.ts'
import type { Json, Read, Schedule } from '../../model.ts'

/** A schedule with all that it is set to. */
export type ScheduleDetail = Omit<Schedule, 'task'> & { readonly task: Template }

/** What a schedule enqueues each time, as POST /tasks takes it. */
export type Template = Readonly<Record<string, Json>>

export type Occurrence = Read<typeof occurrence>

/** The next times, and the plan in words. */
export type Preview = Read<typeof preview>

export type PlannedTime = Preview['items'][number]

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
