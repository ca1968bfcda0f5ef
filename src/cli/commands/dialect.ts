import { Command } from 'commander'
import { dialects } from '../../dialects/dialects.ts'
import { installDialect } from '../../dialects/install-dialect.ts'
import { listDialects } from '../../dialects/list-dialects.ts'
import { createTaskTable } from '../../dialects/pg-task/create-task-table.ts'
import { pgTask } from '../../dialects/pg-task.ts'
import { TuskError } from '../../lib/errors.ts'
import { reach } from '../database.ts'
import { give, type Io, say } from '../io.ts'
import {
  type RunningDatabaseOptions,
  runningDatabaseUrl,
  withRunningDatabase,
} from '../running-database.ts'
import { summarize } from '../summarize.ts'

interface Options extends RunningDatabaseOptions {
  readonly schema?: string
  readonly engineSchema?: string
  readonly table?: string
}

/** `tusk dialect`: the SQL of other systems, over the same engine. */
export function dialectCommand(io: Io): Command {
  const command = new Command('dialect').description('Speak the SQL of another task system')
  withRunningDatabase(command.command('install'))
    .description('install or upgrade a dialect over the engine, and print the files applied')
    .argument('<name>', dialects.map(({ name, about }) => `${name} (${about})`).join(', '))
    .option('--schema <name>', "schema of the dialect (default: the dialect's own)")
    .option('--engine-schema <name>', 'schema of the engine (default: TUSK_SCHEMA, else tusk)')
    .option('--table <name>', 'pg-task: the task table to make (default: public.task)')
    .action((name: string, options: Options) => install(name, options, io))
  withRunningDatabase(command.command('list'))
    .description('print the dialects that are installed, and those that could be')
    .action((options: Options) => list(options, io))
  return command
}

async function install(name: string, options: Options, io: Io): Promise<void> {
  const url = await runningDatabaseUrl(options, io)
  const place = await reach(url)
  const { schema, engineSchema, applied, removed, notices } = await installDialect(url, {
    dialect: name,
    schema: options.schema,
    engineSchema: options.engineSchema ?? (io.env['TUSK_SCHEMA'] || undefined),
  })
  for (const path of applied) give(io, path)
  for (const notice of notices) say(io, `Note: ${notice}`)
  const what = `Dialect ${name} in schema ${schema} over ${engineSchema} at ${place}`
  say(io, `${what} ${summarize(applied.length, removed.length)}`)
  if (name === pgTask.name) await makeTable(url, schema, options.table ?? 'public.task', io)
}

async function makeTable(url: string, dialectSchema: string, name: string, io: Io): Promise<void> {
  const [table = '', schema, ...rest] = name.split('.').reverse()
  if (rest.length > 0) {
    throw new TuskError('invalid_argument', `${name} is not the name of a task table`, {
      hint: 'Write schema.table; for names with dots in them call create_task_table() in SQL.',
    })
  }
  const queue = await createTaskTable(url, { schema, table, dialectSchema })
  say(
    io,
    `Task table ${schema ?? 'public'}.${table} is there; its tasks are in the queue ${queue}.`,
  )
}

/** One line each: name, state, schema, schema of the engine, parted by tabs. */
async function list(options: Options, io: Io): Promise<void> {
  const url = await runningDatabaseUrl(options, io)
  await reach(url)
  const installed = await listDialects(url)
  for (const { name, state, schema, engine_schema } of installed)
    give(io, [name, state, schema, engine_schema].join('\t'))
  const names = new Set(installed.map(({ name }) => name))
  for (const { name } of dialects)
    if (!names.has(name)) give(io, [name, 'absent', '-', '-'].join('\t'))
}
