import type { Command } from 'commander'
import type { Json } from '../engine/task.ts'
import type { ScheduleSettings } from '../tasks/schedule-settings.ts'
import { parseCount, parseJson } from './parse-argument.ts'

/** The settings of a schedule as options of a command. */
export interface PlanningOptions {
  readonly cron?: string
  readonly every?: string
  readonly at?: string
  readonly zone?: string
  readonly startsAt?: string
  readonly endsAt?: string
}

export interface SettingsOptions extends PlanningOptions {
  readonly task?: Json
  readonly queue?: string
  readonly handler?: string
  readonly kind?: string
  readonly payload?: Json
  readonly jitter?: string
  readonly misfire?: string
  readonly misfireAfter?: string
  readonly catchUp?: number
  readonly overlap?: string
  readonly drift?: string
  readonly keep?: string
}

export function withPlanning(command: Command): Command {
  return command
    .option('--cron <expression>', 'five fields, six with seconds, or @daily and the like')
    .option('--every <interval>', 'such as "15 minutes" or "1 month"')
    .option('--at <time>', 'once; without an offset in the zone')
    .option('--zone <name>', 'whose clocks count, such as Europe/Berlin (default: UTC)')
    .option('--starts-at <time>', 'not before')
    .option('--ends-at <time>', 'not after')
}

export function withSettings(command: Command): Command {
  return withPlanning(command)
    .option('--task <json>', 'the task as enqueue_many() takes it', parseJson)
    .option('--queue <name>', 'the queue of the task, instead of --task')
    .option('--handler <name>', 'who runs it (default: named like the queue)')
    .option('--kind <kind>', 'handler, sql or document')
    .option('--payload <json>', 'its payload', parseJson)
    .option('--jitter <interval>', 'run up to so much later')
    .option('--misfire <rule>', 'what becomes of missed times: once, skip or all')
    .option('--misfire-after <interval>', 'how late is missed (default: 1 minute)')
    .option('--catch-up <count>', 'most missed times that fire with --misfire all', parseCount)
    .option('--overlap <rule>', 'while a task of it is live: allow, skip, queue or cancel')
    .option('--drift <rule>', 'an interval counts from what was planned or finished')
    .option('--keep <interval>', 'how long occurrences are kept (default: 30 days)')
}

const taskOptions = ['task', 'queue', 'handler', 'kind', 'payload'] as const
const otherOptions = ['databaseUrl', 'schema', 'count', 'from'] as const

/** What was said, as settings. Whether it makes sense is the engine's to say. */
export function settingsOf(options: SettingsOptions): ScheduleSettings {
  const { task, queue, handler, kind, payload } = options
  const given = { queue, handler, kind, payload }
  const named = Object.values(given).some((value) => value !== undefined)
  const others = new Set<string>([...taskOptions, ...otherOptions])
  const planning = Object.entries(options).filter(([name]) => !others.has(name))
  const template = task ?? (named ? given : undefined)
  return Object.fromEntries([
    ...planning,
    ...(template === undefined ? [] : [['task', template]]),
  ]) as ScheduleSettings
}
