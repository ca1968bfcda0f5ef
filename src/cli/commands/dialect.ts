import { Argument, Command } from 'commander'
import { builtInDialects, dialects, findDialect } from '../../dialects/dialects.ts'
import { installDialect } from '../../dialects/install-dialect.ts'
import { listDialects } from '../../dialects/list-dialects.ts'
import { createTaskTable } from '../../dialects/pg-task/create-task-table.ts'
import { pgTask } from '../../dialects/pg-task.ts'
import { reach } from '../database/database.ts'
import {
  type RunningDatabaseOptions,
  runningDatabaseUrl,
  withRunningDatabase,
} from '../database/running-database.ts'
import { withExamples } from '../options/examples.ts'
import type { Column, Screen } from '../output/screen.ts'
import { fileColumns, summarize } from '../output/summarize.ts'
import type { Io } from '../process/io.ts'
import { action } from './action.ts'
import { checkOptions, type MoveOptions, moveOriginal, tableNamed } from './dialect-move.ts'

type Options = RunningDatabaseOptions & MoveOptions

/** `tusk dialect`: the SQL of other systems, over the same engine. */
export function dialectCommand(io: Io): Command {
  const command = new Command('dialect').description('Speak the SQL of another task system')
  const names = dialects.map(({ name }) => name)
  const about = dialects.map((each) => `${each.name} (${each.about})`).join(', ')
  const installing = withRunningDatabase(command.command('install'))
    .description('install or upgrade a dialect over the engine, and print the files applied')
    // The names are for completion: which there are is the installer's to say.
    .addArgument(new Argument('<name>', about).choices(names).argParser((name) => name))
    .option('--dialect-schema <name>', "schema of the dialect (default: the dialect's own)")
    .option('--schema <name>', 'schema of the engine (default: TUSK_SCHEMA, else tusk)')
    .option('--table <name>', 'pg-task: the task table to create (default: public.task)')
    .option('--adopt', 'take over an installation of Fetchq 4.x, or a table of pg_task')
    .option('--dry-run', 'with --adopt: print what would happen, and change nothing')
    .option('--undo', 'undo --adopt')
    .action(
      action<Options, [string]>(io, (screen, options, name) => install(name, options, screen)),
    )
  withExamples(
    installing,
    ['tusk dialect install fetchq'],
    ['tusk dialect install pg-task --table billing.task'],
    ['tusk dialect install pg-task --adopt --dry-run'],
    ['tusk dialect install fetchq --adopt --dry-run'],
  )
  const listing = withRunningDatabase(command.command('list'))
    .description('print the installed dialects, and the others')
    .action(action<Options>(io, (screen, options) => list(options, screen)))
  withExamples(listing, ['tusk dialect list'])
  return command
}

async function install(given: string, options: Options, screen: Screen): Promise<void> {
  const { io } = screen
  const { name } = findDialect(given)
  const { table } = options
  checkOptions(name, options)
  const url = await runningDatabaseUrl(options, io)
  const place = await reach(url)
  if (options.adopt === true || options.undo === true)
    return moveOriginal(name, url, options, screen)
  const { schema, engineSchema, applied, removed, notices } = await installDialect(url, {
    dialect: name,
    schema: options.dialectSchema,
    engineSchema: options.schema ?? (io.env['TUSK_SCHEMA'] || undefined),
  })
  screen.list(
    applied.map((path) => ({ path })),
    fileColumns,
    '',
  )
  for (const notice of notices) screen.say(`Note: ${notice}`)
  const what = `Dialect ${name} in schema ${schema} over ${engineSchema} at ${place}`
  screen.say(`${what} ${summarize(applied.length, removed.length)}`)
  if (name === pgTask.name) await makeTable(url, schema, table ?? 'public.task', screen)
}

async function makeTable(
  url: string,
  dialectSchema: string,
  name: string,
  screen: Screen,
): Promise<void> {
  const { schema, table } = tableNamed(name)
  const queue = await createTaskTable(url, { schema, table, dialectSchema })
  screen.say(
    `Task table ${schema ?? 'public'}.${table} is there; its tasks are in the queue ${queue}.`,
  )
}

interface Row {
  readonly name: string
  readonly state: string
  readonly schema: string | null
  readonly engine_schema: string | null
}

async function list(options: Options, screen: Screen): Promise<void> {
  const url = await runningDatabaseUrl(options, screen.io)
  await reach(url)
  const installed: readonly Row[] = await listDialects(url)
  const names = new Set(installed.map(({ name }) => name))
  const absent = dialects
    .filter(({ name }) => !names.has(name))
    .map(({ name }) => ({ name, state: 'absent', schema: null, engine_schema: null }))
  const builtIn = builtInDialects.map(({ name }) => ({
    name,
    state: 'built in',
    schema: null,
    engine_schema: null,
  }))
  screen.list([...installed, ...absent, ...builtIn], columns)
}

const columns: readonly Column<Row>[] = [
  { name: 'dialect', of: ({ name }) => name },
  { name: 'state', of: ({ state }) => state },
  { name: 'schema', of: ({ schema }) => schema },
  { name: 'over', of: ({ engine_schema }) => engine_schema },
]
