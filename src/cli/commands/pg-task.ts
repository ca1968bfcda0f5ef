import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { readConfig, type ServiceConfig } from '../../dialects/pg-task/config.ts'
import type { TaskService } from '../../dialects/pg-task/task-service.ts'
import { watchFile } from '../../dialects/pg-task/watch-file.ts'
import { TuskError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { safeLogger } from '../../lib/safe-logger.ts'
import {
  type RunningDatabaseOptions,
  runningDatabaseUrl,
  withRunningDatabase,
} from '../database/running-database.ts'
import { withExamples } from '../options/examples.ts'
import { type Io, say, sayError } from '../process/io.ts'
import { visible } from '../process/visible.ts'
import { action } from './action.ts'

interface Options extends RunningDatabaseOptions {
  readonly tables: string
}

/** `tusk pg-task`: the task tables of many databases. */
export function pgTaskCommand(io: Io): Command {
  const command = new Command('pg-task').description('Serve task tables as pg_task does')
  const serving = withRunningDatabase(command.command('serve'))
    .description(
      'serve all task tables that a file names, and follow its changes; SIGHUP reads it again',
    )
    .requiredOption('--tables <file>', 'pg_task.json: [{"data": "billing", "table": "task"}]')
    .action(action<Options>(io, (screen, options) => serve(options, screen.io)))
  withExamples(serving, ['tusk pg-task serve --tables pg_task.json'])
  return command
}

async function serve(options: Options, io: Io): Promise<void> {
  const stopRequested = io.stopRequested()
  const config = await read(options.tables)
  // Loaded only here: it brings a worker.
  const { TaskService: Service } = await import('../../dialects/pg-task/task-service.ts')
  const service = new Service({
    baseUrl: await runningDatabaseUrl(options, io),
    logger: talk(io),
  })
  await service.apply(config)
  say(io, `Serving ${service.size} task tables; Ctrl-C stops.`)
  const reload = () => void follow(options.tables, service, io)
  const watcher = watchFile(options.tables, reload)
  process.on('SIGHUP', reload)
  try {
    await stopRequested
  } finally {
    process.off('SIGHUP', reload)
    watcher.close()
    await service.stop()
  }
}

/** A configuration that cannot be used changes nothing. */
async function follow(path: string, service: TaskService, io: Io): Promise<void> {
  try {
    await service.apply(await read(path))
    say(io, `Read ${path} again: ${service.size} task tables.`)
  } catch (error) {
    sayError(io, error)
  }
}

async function read(path: string): Promise<ServiceConfig> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new TuskError('invalid_argument', `${path} cannot be read`, {
      cause,
      hint: 'Name a file with --tables.',
    })
  })
  return readConfig(text)
}

/** What the service says, as talk: who it is about, and why. */
function talk(io: Io): Logger {
  const tell = (fields: object, message: string) => {
    const { data, schema, table, err } = fields as Record<string, unknown>
    const where =
      data === undefined ? '' : `${String(data)} ${[schema, table].filter(Boolean).join('.')}: `
    const why = err instanceof Error ? ` (${err.message})` : ''
    say(io, visible(`${where}${message}${why}`))
  }
  // What its workers say of themselves is of no interest here, unless it is a trouble.
  const note = (fields: object, message: string) => {
    if ('data' in fields) tell(fields, message)
  }
  return safeLogger({ debug: () => {}, info: note, warn: tell, error: tell })
}
