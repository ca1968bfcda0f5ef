import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import type { Tusk } from '../../client/tusk.ts'
import { TuskError } from '../../lib/errors.ts'
import type { Schedules } from '../../tasks/schedule-settings.ts'
import { give, type Io, say } from '../io.ts'
import { parseCount, parseTime } from '../parse-argument.ts'
import { describeOccurrence, describeSchedule, lineOf } from '../schedule-lines.ts'
import {
  type PlanningOptions,
  type SettingsOptions,
  settingsOf,
  withPlanning,
  withSettings,
} from '../schedule-options.ts'
import { type TuskOptions, withEngine, withTusk } from '../with-tusk.ts'

/** `tusk schedule`: plans that make tasks. */
export function scheduleCommand(io: Io): Command {
  const command = new Command('schedule').description('Plan tasks by cron, interval or time')
  addLooking(command, io)
  addSetting(command, io)
  addSteering(command, io)
  addFilling(command, io)
  return command
}

function addLooking(command: Command, io: Io): void {
  withEngine(command.command('list'))
    .description('print name, state, next time and meaning of each, parted by tabs')
    .action((options: TuskOptions) =>
      withTusk(options, io, async (tusk) => {
        for (const schedule of await tusk.schedules()) give(io, lineOf(schedule))
      }),
    )
  withEngine(command.command('show <name>'))
    .description('print one with its settings and its last occurrences')
    .action((name: string, options: TuskOptions) =>
      withTusk(options, io, (tusk) => show(tusk, name, io)),
    )
  withPlanning(withEngine(command.command('preview [name]')))
    .description('print the next times of one, or of settings that are not set yet')
    .option('-n, --count <count>', 'how many', parseCount, 10)
    .option('--from <time>', 'from then on (default: now)', parseTime)
    .action((name: string | undefined, options: PreviewOptions) => preview(name, options, io))
}

function addSetting(command: Command, io: Io): void {
  withSettings(withEngine(command.command('set <name>')))
    .description('make one or change what is given, and print its next time')
    .action((name: string, options: TuskOptions & SettingsOptions) =>
      withTusk(options, io, async (tusk) => {
        const next = await tusk.setSchedule(name, settingsOf(options))
        give(io, next?.toISOString() ?? '-')
        say(io, `Schedule ${name}: ${(await tusk.schedule(name))?.words ?? ''}`)
      }),
    )
  withEngine(command.command('apply <file>'))
    .description(
      'make the schedules what a file of JSON says: {"name": {"task": {…}, "cron": "…"}}',
    )
    .option('--prune', 'delete schedules that the file does not name')
    .action((file: string, options: TuskOptions & { prune?: boolean }) => apply(file, options, io))
}

function addSteering(command: Command, io: Io): void {
  const verbs = [
    ['pause', 'fire nothing more of it', 'is paused', 'pauseSchedule'],
    ['resume', 'fire it again, from its next time on', 'goes on', 'resumeSchedule'],
    ['delete', 'remove it with its occurrences; its tasks stay', 'is deleted', 'deleteSchedule'],
  ] as const
  for (const [verb, description, said, method] of verbs) {
    withEngine(command.command(`${verb} <name>`))
      .description(description)
      .action((name: string, options: TuskOptions) =>
        withTusk(options, io, async (tusk) => {
          await tusk[method](name)
          say(io, `Schedule ${name} ${said}.`)
        }),
      )
  }
}

function addFilling(command: Command, io: Io): void {
  withEngine(command.command('run <name>'))
    .description('fire it now, besides its planned times, and print the id of the task')
    .action((name: string, options: TuskOptions) =>
      withTusk(options, io, async (tusk) => give(io, await tusk.runSchedule(name))),
    )
  withEngine(command.command('backfill <name>'))
    .description('fire what is missing or was skipped in a range, and print how many')
    .requiredOption('--from <time>', 'first', parseTime)
    .requiredOption('--to <time>', 'last', parseTime)
    .option('--limit <count>', 'most tasks to make', parseCount, 1_000)
    .action((name: string, options: BackfillOptions) => backfill(name, options, io))
}

async function show(tusk: Tusk, name: string, io: Io): Promise<void> {
  const schedule = await tusk.schedule(name)
  if (schedule === null) throw await notFound(tusk, name)
  give(io, describeSchedule(schedule))
  for (const occurrence of await tusk.occurrences(name, { limit: 10 }))
    give(io, describeOccurrence(occurrence))
}

/** The engine knows which name was probably meant. */
async function notFound(tusk: Tusk, name: string): Promise<unknown> {
  return tusk.previewSchedule(name).then(
    () => new TuskError('schedule_not_found', `there is no schedule '${name}'`),
    (error: unknown) => error,
  )
}

interface PreviewOptions extends TuskOptions, PlanningOptions {
  readonly count: number
  readonly from?: Date
}

async function preview(name: string | undefined, options: PreviewOptions, io: Io): Promise<void> {
  const { count, from } = options
  await withTusk(options, io, async (tusk) => {
    const times = await tusk.previewSchedule(name ?? settingsOf(options), {
      count,
      ...(from === undefined ? {} : { from }),
    })
    for (const { planned_at, local, note } of times)
      give(io, [planned_at.toISOString(), local, ...(note === null ? [] : [note])].join('\t'))
  })
}

async function apply(
  file: string,
  options: TuskOptions & { prune?: boolean },
  io: Io,
): Promise<void> {
  const schedules = await readSchedules(file)
  await withTusk(options, io, async (tusk) => {
    const applied = await tusk.applySchedules(schedules, { prune: options.prune ?? false })
    for (const { name, outcome } of applied) give(io, `${outcome}\t${name}`)
  })
}

async function readSchedules(file: string): Promise<Schedules> {
  try {
    const read: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Schedules
  } catch (error) {
    throw unreadable(file, (error as Error).message, error)
  }
  throw unreadable(file, 'it is no object of schedules by name')
}

function unreadable(file: string, why: string, cause?: unknown): TuskError {
  return new TuskError('invalid_argument', `${file} cannot be read: ${why}`, {
    hint: 'It looks like {"report": {"task": {"queue": "reports"}, "cron": "@daily"}}.',
    cause,
  })
}

interface BackfillOptions extends TuskOptions {
  readonly from: Date
  readonly to: Date
  readonly limit: number
}

async function backfill(name: string, options: BackfillOptions, io: Io): Promise<void> {
  const { from, to, limit } = options
  await withTusk(options, io, async (tusk) => {
    const { fired, more_from } = await tusk.backfill(name, from, to, { limit })
    give(io, String(fired))
    if (more_from !== null) say(io, `There is more: go on with --from ${more_from.toISOString()}`)
  })
}
