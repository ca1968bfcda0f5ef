import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Tusk } from '../../../client/tusk.ts'
import type { AppliedSchedule } from '../../../engine/scheduling.ts'
import { TuskError } from '../../../lib/errors.ts'
import type { Schedules } from '../../../tasks/schedule-settings.ts'
import { asPerson } from '../../database/as-person.ts'
import { type TuskOptions, withEngine, withTusk } from '../../database/with-tusk.ts'
import { type ConfirmOptions, confirm, withConfirmation } from '../../options/confirm.ts'
import { withExamples } from '../../options/examples.ts'
import { readJson } from '../../options/parse-argument.ts'
import type { Column, Screen } from '../../output/screen.ts'
import type { Io } from '../../process/io.ts'
import { action } from '../action.ts'

interface ApplyOptions extends TuskOptions, ConfirmOptions {
  readonly prune?: boolean
}

export function addScheduleApply(schedule: Command, io: Io): void {
  const command = withConfirmation(withEngine(schedule.command('apply <file>')))
    .description(
      'make the schedules what a file of JSON says: {"name": {"task": {…}, "cron": "…"}}',
    )
    .option('--prune', 'delete schedules that the file does not name')
    .action(
      action<ApplyOptions, [string]>(io, async (screen, options, file) => {
        const schedules = await readSchedules(file)
        await withTusk(options, screen.io, (tusk) => apply(tusk, schedules, options, screen))
      }),
    )
  withExamples(
    command,
    ['tusk schedule apply schedules.json'],
    ['tusk schedule apply schedules.json --prune --dry-run'],
  )
}

/** What would happen is tried out, so that the engine decides what it is. */
async function apply(
  tusk: Tusk,
  schedules: Schedules,
  options: ApplyOptions,
  screen: Screen,
): Promise<void> {
  const prune = options.prune ?? false
  const isTrial = options.dryRun || (prune && !options.yes)
  if (isTrial) {
    const outcome = await tryOut(tusk, schedules, prune)
    if (options.dryRun) {
      screen.list(outcome, columns)
      screen.say('Dry run: nothing was changed.')
      return
    }
    const deleted = outcome.filter((each) => each.outcome === 'deleted').length
    if (deleted > 0)
      await confirm(
        screen,
        `deletes ${deleted} ${deleted === 1 ? 'schedule' : 'schedules'}`,
        options,
      )
  }
  const applied = await asPerson(tusk, (on) => tusk.schedules.apply(schedules, { on, prune }))
  screen.list(applied, columns)
}

class Undo extends Error {
  readonly outcome: AppliedSchedule[]

  constructor(outcome: AppliedSchedule[]) {
    super('undone')
    this.outcome = outcome
  }
}

function tryOut(tusk: Tusk, schedules: Schedules, prune: boolean): Promise<AppliedSchedule[]> {
  return asPerson(tusk, async (on): Promise<AppliedSchedule[]> => {
    throw new Undo(await tusk.schedules.apply(schedules, { on, prune }))
  }).catch((error: unknown) => {
    if (error instanceof Undo) return error.outcome
    throw error
  })
}

const columns: readonly Column<AppliedSchedule>[] = [
  { name: 'outcome', of: ({ outcome }) => outcome },
  { name: 'schedule', of: ({ name }) => name },
]

async function readSchedules(file: string): Promise<Schedules> {
  try {
    const read: unknown = readJson(await readFile(file, 'utf8'))
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Schedules
  } catch (error) {
    throw unreadable(file, (error as Error).message, error)
  }
  throw unreadable(file, 'it is not an object of schedules by name')
}

function unreadable(file: string, why: string, cause?: unknown): TuskError {
  return new TuskError('invalid_argument', `${file} cannot be read: ${why}`, {
    hint: 'It looks like {"report": {"task": {"queue": "reports"}, "cron": "@daily"}}.',
    cause,
  })
}
