import type { Command } from 'commander'
import type { Tusk } from '../../../client/tusk.ts'
import type { Json } from '../../../engine/task.ts'
import { TuskError } from '../../../lib/errors.ts'
import { scheduleInSql } from '../../../tasks/schedule-in-sql.ts'
import { engineOf } from '../../database/engine-of.ts'
import { type TuskOptions, withEngine, withTusk } from '../../database/with-tusk.ts'
import { withExamples } from '../../options/examples.ts'
import { parseCount, parseTime } from '../../options/parse-argument.ts'
import { type PlanningOptions, settingsOf, withPlanning } from '../../options/schedule-options.ts'
import {
  occurrenceColumns,
  plannedColumns,
  printedSchedule,
  printedTime,
  scheduleColumns,
  scheduleDetails,
} from '../../output/schedule-lines.ts'
import { detailLines, type Screen } from '../../output/screen.ts'
import type { Io } from '../../process/io.ts'
import { action } from '../action.ts'
import { requireSchedule } from './require-schedule.ts'

export function addScheduleLooking(schedule: Command, io: Io): void {
  const list = withEngine(schedule.command('list'))
    .description('print the schedules with their state, next time and plan in words')
    .action(
      action<TuskOptions>(io, (screen, options) =>
        withTusk(options, screen.io, async (tusk) => {
          const { verbs, db } = engineOf(tusk)
          const schedules = (await verbs.schedules(db)).map(printedSchedule)
          screen.list(schedules, scheduleColumns, 'There are no schedules.')
        }),
      ),
    )
  withExamples(list, ['tusk schedule list'], ['tusk schedule list -o jsonl'])
  const one = withEngine(schedule.command('show <name>'))
    .description('print one schedule with its settings and its last occurrences')
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
  const { verbs, db } = engineOf(tusk)
  const occurrences = await verbs.occurrences(db, name, { limit: 10 })
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
    .description('print the next times of a schedule, or of settings without saving them')
    .option('-n, --count <count>', 'how many', parseCount, 10)
    .option('--from <time>', 'the start (default: now)', parseTime)
    .action(
      action<PreviewOptions, [string | undefined]>(io, (screen, options, name) =>
        withTusk(options, screen.io, async (tusk) => {
          const { count, from = null } = options
          const { verbs, db } = engineOf(tusk)
          const times = await verbs.previewSchedule(db, await whatOf(name, options), count, from)
          screen.list(times.map(printedTime), plannedColumns, 'It never comes.')
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
async function whatOf(name: string | undefined, options: PreviewOptions): Promise<string | Json> {
  const settings = settingsOf(options)
  if (name === undefined) return scheduleInSql(settings, new Map())
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
