import type { Occurrence, PlannedTime, Schedule } from '../engine/schedule.ts'
import type { Column, Details } from './output/screen.ts'
import { exactly, fromNow } from './output/spans.ts'

/** A list of schedules as people see it. */
export const scheduleColumns: readonly Column<Schedule>[] = [
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

export const plannedColumns: readonly Column<PlannedTime>[] = [
  { name: 'time', of: ({ planned_at }) => exactly(planned_at), isWhole: true },
  { name: 'local', of: ({ local }) => local },
  { name: 'note', of: ({ note }) => note },
]

/** All there is to know, a line each. */
export function scheduleDetails(schedule: Schedule): Details {
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
