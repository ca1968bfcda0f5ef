import type { Command } from 'commander'
import type { Tusk } from '../../../client/tusk.ts'
import { TuskError } from '../../../lib/errors.ts'
import type { ScheduleSettings } from '../../../tasks/schedule-settings.ts'
import { action } from '../../action.ts'
import { withExamples } from '../../examples.ts'
import type { Io } from '../../io.ts'
import { detailLines, type Screen } from '../../output/screen.ts'
import { parseCount, parseTime } from '../../parse-argument.ts'
import { requireSchedule } from '../../require-schedule.ts'
import {
  occurrenceColumns,
  plannedColumns,
  scheduleColumns,
  scheduleDetails,
} from '../../schedule-lines.ts'
import { type PlanningOptions, settingsOf, withPlanning } from '../../schedule-options.ts'
import { type TuskOptions, withEngine, withTusk } from '../../with-tusk.ts'

export function addScheduleLooking(schedule: Command, io: Io): void {
  const list = withEngine(schedule.command('list'))
    .description('print each with its state, its next time and what it means')
    .action(
      action<TuskOptions>(io, (screen, options) =>
        withTusk(options, screen.io, async (tusk) =>
          screen.list(await tusk.schedules(), scheduleColumns, 'There are no schedules.'),
        ),
      ),
    )
  withExamples(list, ['tusk schedule list'], ['tusk schedule list -o jsonl'])
  const one = withEngine(schedule.command('show <name>'))
    .description('print one with its settings and its last occurrences')
    .action(
      action<TuskOptions, [string]>(io, (screen, options, name) =>
        withTusk(options, screen.io, (tusk) => show(tusk, name, screen)),
      ),
    )
  withExamples(one, ['tusk schedule show report'])
  addPreview(schedule, io)
}

async function show(tusk: Tusk, name: string, screen: Screen): Promise<void> {
  const schedule = await requireSchedule(tusk, name)
  const occurrences = await tusk.occurrences(name, { limit: 10 })
  screen.one({ ...schedule, occurrences }, () => [
    ...detailLines(scheduleDetails(schedule)),
    ...(occurrences.length === 0 ? [] : ['', ...screen.tableOf(occurrences, occurrenceColumns)]),
  ])
}

interface PreviewOptions extends TuskOptions, PlanningOptions {
  readonly count: number
  readonly from?: Date
}

function addPreview(schedule: Command, io: Io): void {
  const command = withPlanning(withEngine(schedule.command('preview [name]')))
    .description('print the next times of one, or of settings that are not set yet')
    .option('-n, --count <count>', 'how many', parseCount, 10)
    .option('--from <time>', 'from then on (default: now)', parseTime)
    .action(
      action<PreviewOptions, [string | undefined]>(io, (screen, options, name) =>
        withTusk(options, screen.io, async (tusk) => {
          const { count, from } = options
          const times = await tusk.previewSchedule(whatOf(name, options), {
            count,
            ...(from === undefined ? {} : { from }),
          })
          screen.list(times, plannedColumns, 'It never comes.')
        }),
      ),
    )
  withExamples(
    command,
    ['tusk schedule preview report -n 5'],
    [`tusk schedule preview --cron '30 2 * * *' --zone Europe/Berlin`],
  )
}

/** Settings beside a name would be left aside, and the times be those of other settings. */
function whatOf(name: string | undefined, options: PreviewOptions): string | ScheduleSettings {
  const settings = settingsOf(options)
  if (name === undefined) return settings
  const [given] = Object.keys(settings)
  if (given === undefined) return name
  throw new TuskError(
    'invalid_argument',
    'a preview is of a schedule or of settings, not of both',
    {
      hint: `Leave out ${name}, or the settings.`,
    },
  )
}
