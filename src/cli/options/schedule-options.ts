import type { Command } from 'commander'
import { TuskError } from '../../lib/errors.ts'
import type { ScheduleSettings } from '../../tasks/schedule-settings.ts'
import { choice } from './choice.ts'
import { type GivenJson, parseCount, parseJson } from './parse-argument.ts'

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
  readonly task?: GivenJson
  readonly queue?: string
  readonly handler?: string
  readonly kind?: string
  readonly payload?: GivenJson
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
    .addOption(choice('--kind <kind>', 'who performs it', ['handler', 'sql', 'document']))
    .option('--payload <json>', 'its payload', parseJson)
    .option('--jitter <interval>', 'run up to so much later')
    .addOption(choice('--misfire <rule>', 'what becomes of missed times', ['once', 'skip', 'all']))
    .option('--misfire-after <interval>', 'how late is missed (default: 1 minute)')
    .option('--catch-up <count>', 'most missed times that fire with --misfire all', parseCount)
    .addOption(
      choice('--overlap <rule>', 'while a task of it is live', [
        'allow',
        'skip',
        'queue',
        'cancel',
      ]),
    )
    .addOption(choice('--drift <rule>', 'an interval counts from', ['planned', 'finished']))
    .option('--keep <interval>', 'how long occurrences are kept (default: 30 days)')
}

const planningNames = ['cron', 'every', 'at', 'zone', 'startsAt', 'endsAt'] as const
const ruleNames = [
  'jitter',
  'misfire',
  'misfireAfter',
  'catchUp',
  'overlap',
  'drift',
  'keep',
] as const

/** What was said, as settings. Whether it makes sense is the engine's to say. */
export function settingsOf(options: SettingsOptions): ScheduleSettings {
  const { task, queue, handler, kind, payload } = options
  const given = { queue, handler, kind, payload: payload?.json }
  const named = Object.values(given).some((value) => value !== undefined)
  if (named && task !== undefined) throw twoTasks()
  const template = task?.json ?? (named ? given : undefined)
  const all = [
    ...[...planningNames, ...ruleNames].map((name) => [name, options[name]] as const),
    ['task', template] as const,
  ]
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as ScheduleSettings
}

function twoTasks(): TuskError {
  return new TuskError('invalid_argument', '--task says all of the task', {
    hint: 'Leave it out, or --queue, --handler, --kind and --payload.',
  })
}
