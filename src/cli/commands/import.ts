import { readFile } from 'node:fs/promises'
import { Argument, Command } from 'commander'
import type { Tusk } from '../../client/tusk.ts'
import { readCrontab } from '../../import/crontab.ts'
import type { Import, Kept, Outcome } from '../../import/move.ts'
import {
  confirmImport,
  openImport,
  planImport,
  runImport,
  sources,
  undoImport,
} from '../../import/run-import.ts'
import type { SourceSchedule } from '../../import/source.ts'
import { TuskError } from '../../lib/errors.ts'
import { asPerson } from '../database/as-person.ts'
import { engineOf } from '../database/engine-of.ts'
import { type TuskOptions, withEngine, withTusk } from '../database/with-tusk.ts'
import { withExamples } from '../options/examples.ts'
import type { Column, Screen } from '../output/screen.ts'
import type { Io } from '../process/io.ts'
import { action } from './action.ts'

interface Options extends TuskOptions {
  readonly fromSchema?: string
  readonly crontab?: string
  readonly dryRun?: boolean
  readonly undo?: boolean
  readonly confirm?: boolean
}

/** `tusk import`: the waiting jobs and schedules of another task system. */
export function importCommand(io: Io): Command {
  const names = sources.map(({ name }) => name)
  const command = withEngine(new Command('import'))
    .description('Move waiting jobs and schedules of another task system into Tusk')
    .addArgument(
      new Argument('<system>', names.join(' or ')).choices(names).argParser((name) => name),
    )
    .option('--from-schema <name>', "schema of the other system (default: the system's own)")
    .option('--crontab <file>', 'graphile-worker: the crontab whose lines become schedules')
    .option('--dry-run', 'print what would be moved, and change nothing')
    .option('--undo', 'put back what has not started, and delete it from Tusk')
    .option('--confirm', 'make the import final: it cannot be undone afterwards')
    .action(
      action<Options, [string]>(io, async (screen, options, system) => {
        checkOptions(system, options)
        const schedules = await readSchedules(options.crontab)
        await withTusk(options, screen.io, (tusk) => run(tusk, system, schedules, options, screen))
      }),
    )
  return withExamples(
    command,
    ['tusk import pg-boss --dry-run'],
    ['tusk import graphile-worker --crontab crontab'],
    ['tusk import pg-boss --undo'],
    ['tusk import pg-boss --confirm'],
  )
}

async function run(
  tusk: Tusk,
  system: string,
  schedules: readonly SourceSchedule[],
  options: Options,
  screen: Screen,
): Promise<void> {
  const given = await openImport({
    from: system,
    fromSchema: options.fromSchema,
    engineSchema: tusk.schema,
    verbs: engineOf(tusk).verbs,
    transaction: (work) => asPerson(tusk, work),
  })
  if (options.dryRun) return showPlan(given, schedules, screen)
  if (options.confirm) {
    const count = await confirmImport(given)
    screen.say(`The import from ${system} is final: ${count} moved rows were forgotten.`)
    return
  }
  const outcome = options.undo ? await undoImport(given) : await runImport(given, schedules)
  const kept = [...rows('schedule', outcome.schedules), ...rows('job', outcome.jobs)]
  screen.list(kept, keptColumns, '')
  const moved = `${outcome.jobs.moved} jobs and ${outcome.schedules.moved} schedules`
  if (options.undo) {
    screen.say(`Put ${moved} back into ${system}; ${kept.length} stay in Tusk.`)
    return
  }
  screen.say(`Moved ${moved} into Tusk; ${kept.length} stay in ${system}.`)
  screen.say(`Run it again for new jobs. Then: tusk import ${system} --confirm, or --undo.`)
}

async function showPlan(
  given: Import,
  fromFile: readonly SourceSchedule[],
  screen: Screen,
): Promise<void> {
  const { queues, left, schedules } = await planImport(given, fromFile)
  const plan = [
    ...queues.map(({ queue, count }) => ({ what: 'jobs', name: queue, count, stays: null })),
    ...schedules.map(({ name, settings }) => {
      return {
        what: 'schedule',
        name,
        count: 1,
        stays: typeof settings === 'string' ? settings : null,
      }
    }),
    ...left.map(({ reason, count }) => ({ what: 'jobs', name: null, count, stays: reason })),
  ]
  screen.list(plan, planColumns, 'There is nothing to move.')
  screen.say('Dry run: nothing was changed.')
}

interface PlanRow {
  readonly what: string
  readonly name: string | null
  readonly count: number
  readonly stays: string | null
}

const planColumns: readonly Column<PlanRow>[] = [
  { name: 'what', of: ({ what }) => what },
  { name: 'name', of: ({ name }) => name },
  { name: 'count', of: ({ count }) => count, isNumber: true },
  { name: 'stays because', of: ({ stays }) => stays },
]

interface KeptRow extends Kept {
  readonly what: string
}

const keptColumns: readonly Column<KeptRow>[] = [
  { name: 'what', of: ({ what }) => what },
  { name: 'name', of: ({ name }) => name },
  { name: 'stays because', of: ({ reason }) => reason },
]

function rows(what: string, { kept }: Outcome): KeptRow[] {
  return kept.map((each) => ({ what, ...each }))
}

function checkOptions(system: string, { crontab, dryRun, undo, confirm }: Options): void {
  if (crontab !== undefined && system !== 'graphile-worker') {
    throw new TuskError('invalid_argument', '--crontab is for graphile-worker', {
      hint: `Leave it out: ${system} keeps its schedules in the database.`,
    })
  }
  if ([dryRun, undo, confirm].filter(Boolean).length > 1) {
    throw new TuskError('invalid_argument', 'give one of --dry-run, --undo and --confirm', {
      hint: 'Each is a step of its own.',
    })
  }
}

async function readSchedules(file: string | undefined): Promise<SourceSchedule[]> {
  if (file === undefined) return []
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new TuskError('invalid_argument', `${file} cannot be read: ${cause.message}`, {
      hint: 'Name the crontab of graphile-worker.',
      cause,
    })
  })
  return readCrontab(text)
}
