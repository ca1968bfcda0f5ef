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
    .option('--every <interval>', 'the interval, such as "15 minutes" or "1 month"')
    .option('--at <time>', 'run once; a time without an offset is in the zone')
    .option('--zone <name>', 'time zone of the plan, such as Europe/Berlin (default: UTC)')
    .option('--starts-at <time>', 'no runs before this time')
    .option('--ends-at <time>', 'no runs after this time')
}

export function withSettings(command: Command): Command {
  return withPlanning(command)
    .option('--task <json>', 'the task as enqueue_many() takes it', parseJson)
    .option('--queue <name>', 'the queue of the task, instead of --task')
    .option('--handler <name>', 'the code that runs it (default: the name of the queue)')
    .addOption(choice('--kind <kind>', 'what kind of task it is', ['handler', 'sql', 'document']))
    .option('--payload <json>', 'its payload', parseJson)
    .option('--jitter <interval>', 'start up to this much later')
    .addOption(choice('--misfire <rule>', 'what to do with missed times', ['once', 'skip', 'all']))
    .option('--misfire-after <interval>', 'how late a time counts as missed (default: 1 minute)')
    .option('--catch-up <count>', 'the most missed times to run with --misfire all', parseCount)
    .addOption(
      choice('--overlap <rule>', 'what to do while a task of it is live', [
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
  return new TuskError('invalid_argument', '--task already describes the whole task', {
    hint: 'Leave out --task, or leave out --queue, --handler, --kind and --payload.',
  })
}
