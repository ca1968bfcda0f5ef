import type { Occurrence, Schedule } from '../engine/schedule.ts'

const time = (at: Date | null) => at?.toISOString() ?? '-'

/** One line for a list. */
export function lineOf({ name, state, next_at, words }: Schedule): string {
  return [name, state, time(next_at), words].join('\t')
}

/** All there is to know, a line each. */
export function describeSchedule(schedule: Schedule): string {
  const { name, words, state, next_at, zone, error, task } = schedule
  const lines = [
    ['name', name],
    ['comes', words],
    ['state', state],
    ['next', time(next_at)],
    ['plan', planOf(schedule)],
    ['zone', zone],
    ['starts', time(schedule.starts_at)],
    ['ends', time(schedule.ends_at)],
    ['misfire', `${schedule.misfire} after ${schedule.misfire_after}`],
    ['overlap', schedule.overlap],
    ['drift', schedule.drift],
    ['jitter', schedule.jitter],
    ['set by', `${schedule.set_by}, revision ${schedule.revision}`],
    ['task', JSON.stringify(task)],
    ['last', lastOf(schedule)],
    ...(error === null ? [] : [['error', JSON.stringify(error)]]),
  ]
  return lines.map(([key = '', value]) => `${key.padEnd(9)}${value}`).join('\n')
}

export function describeOccurrence(occurrence: Occurrence): string {
  const { planned_at, outcome, reason, origin, task } = occurrence
  return [
    planned_at.toISOString(),
    reason === null ? outcome : `${outcome}, ${reason}`,
    origin,
    task ?? '-',
  ].join('\t')
}

function planOf({ cron, every, at }: Schedule): string {
  if (cron !== null) return `cron ${cron}`
  return every === null ? `at ${time(at)}` : `every ${every}`
}

function lastOf({ last_fired_at, last_task, last_task_state }: Schedule): string {
  if (last_fired_at === null) return 'has not fired yet'
  return `${time(last_fired_at)}, task ${last_task} ${last_task_state ?? 'not kept'}`
}
