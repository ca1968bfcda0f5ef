import type { Occurrence, PlannedTime, Schedule } from '../../engine/schedule.ts'
import { describeClockNote } from '../../lib/schedule-words/describe-clock-note.ts'
import { describeSchedule, type SchedulePlan } from '../../lib/schedule-words/describe-schedule.ts'
import type { Column, Details } from './screen.ts'
import { exactly, fromNow } from './spans.ts'

/** A schedule as it is printed: with the sentence that says when it comes. */
export interface PrintedSchedule extends Schedule {
  readonly words: string
}

export function printedSchedule(schedule: Schedule): PrintedSchedule {
  const { name, ...rest } = schedule
  return { name, words: describeSchedule(schedule), ...rest }
}

/** Said after a schedule was set. */
export function scheduleLine(name: string, schedule: SchedulePlan | null): string {
  return `Schedule ${name}: ${schedule === null ? '' : describeSchedule(schedule)}`
}

/** A planned time as it is printed: with a sentence about a change of the clocks. */
export function printedTime(time: PlannedTime): PrintedTime {
  return { ...time, words: describeClockNote(time) }
}

interface PrintedTime extends PlannedTime {
  readonly words: string | null
}

/** A list of schedules as people see it. */
export const scheduleColumns: readonly Column<PrintedSchedule>[] = [
  { name: 'schedule', of: ({ name }) => name },
  {
    name: 'state',
    of: ({ state }) => state,
    style: ({ state }) => (state === 'failing' ? 'red' : state === 'paused' ? 'yellow' : undefined),
  },
  { name: 'next', of: ({ next_at }) => fromNow(next_at) },
  { name: 'comes', of: ({ words }) => words },
  { name: 'last', of: ({ last_fired_at }) => fromNow(last_fired_at) },
  {
    name: 'last task',
    of: ({ last_task, last_task_state }) =>
      last_task === null ? null : `${last_task} ${last_task_state ?? 'not kept'}`,
  },
]

export const occurrenceColumns: readonly Column<Occurrence>[] = [
  { name: 'planned', of: ({ planned_at }) => exactly(planned_at), isWhole: true },
  {
    name: 'outcome',
    of: ({ outcome, reason }) => (reason === null ? outcome : `${outcome}, ${reason}`),
  },
  { name: 'origin', of: ({ origin }) => origin },
  { name: 'task', of: ({ task }) => task, isNumber: true },
]

export const plannedColumns: readonly Column<PrintedTime>[] = [
  { name: 'time', of: ({ planned_at }) => exactly(planned_at), isWhole: true },
  { name: 'local', of: ({ local }) => local },
  { name: 'note', of: ({ words }) => words },
]

/** All there is to know, a line each. */
export function scheduleDetails(schedule: PrintedSchedule): Details {
  const { name, words, state, next_at, zone, error, task } = schedule
  return [
    ['name', name],
    ['comes', words],
    ['state', state],
    ...(schedule.pause_reason === null ? [] : ([['paused', schedule.pause_reason]] as const)),
    ['next', exactly(next_at)],
    ['plan', planOf(schedule)],
    ['zone', zone],
    ['starts', exactly(schedule.starts_at)],
    ['ends', exactly(schedule.ends_at)],
    ['misfire', `${schedule.misfire} after ${schedule.misfire_after}`],
    ['overlap', schedule.overlap],
    ['drift', schedule.drift],
    ['jitter', schedule.jitter],
    ['set by', `${schedule.set_by}, revision ${schedule.revision}`],
    ['task', JSON.stringify(task)],
    ['last', lastOf(schedule)],
    ...(error === null ? [] : ([['error', JSON.stringify(error)]] as const)),
  ]
}

function planOf({ cron, every, at }: Schedule): string {
  if (cron !== null) return `cron ${cron}`
  return every === null ? `at ${exactly(at)}` : `every ${every}`
}

function lastOf({ last_fired_at, last_task, last_task_state }: Schedule): string {
  if (last_fired_at === null) return 'has not fired yet'
  return `${exactly(last_fired_at)}, task ${last_task} ${last_task_state ?? 'not kept'}`
}
