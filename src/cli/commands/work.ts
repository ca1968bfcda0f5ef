import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Command } from 'commander'
import { Tusk } from '../../client/tusk.ts'
import { TuskError } from '../../lib/errors.ts'
import type { AnyTask } from '../../tasks/define-task.ts'
import type { SqlOptions } from '../../worker/sql-options.ts'
import type { Worker } from '../../worker/worker.ts'
import type { Config } from '../config/config.ts'
import { configuredAction } from '../config/configured-action.ts'
import { reach } from '../database.ts'
import { withExamples } from '../examples.ts'
import { type Io, say } from '../io.ts'
import type { Screen } from '../output/screen.ts'
import { parseCount } from '../parse-argument.ts'
import { findRunningDatabase } from '../running-database.ts'
import { sqlAccess } from '../serving/embedded-sql.ts'
import { loadTasks } from '../serving/load-tasks.ts'
import { withLog } from '../serving/server-options.ts'
import { Services, stayUntil } from '../serving/services.ts'
import { talkLogger } from '../serving/talk-logger.ts'
import { workerService } from '../serving/worker-service.ts'
import { workerSchedules } from '../serving/worker-settings.ts'
import { startWorker } from '../start-worker.ts'
import { type TuskOptions, withEngine } from '../with-tusk.ts'

interface Options extends TuskOptions {
  readonly once?: true
}

/** `tusk work`: a worker for the handlers of a module. */
export function workCommand(io: Io): Command {
  const command = withExamples(
    new Command('work'),
    ['tusk work ./tasks.mjs'],
    ['tusk work ./tasks.mjs --queues mail,reports --concurrency 20'],
    ['tusk work ./tasks.mjs --once', 'do what is due, then end'],
    ['tusk work --sql', 'SQL tasks alone'],
  )
  return withLog(withEngine(command))
    .description('Run tasks with the handlers of a module until stopped; changes no schema')
    .argument(
      '[module]',
      'its exports are the handlers (default: worker.handlers of the configuration)',
    )
    .option(
      '--queues <names>',
      'queues to serve, parted by commas (default: those of its tasks)',
      names,
    )
    .option('--concurrency <count>', 'tasks that run at once (default: 10)', parseCount)
    .option('--sql', 'run SQL tasks too')
    .option('--chores', 'take part in housekeeping and schedules (default)')
    .option('--no-chores', 'leave housekeeping and schedules to others')
    .option('--once', 'do what is due, then end')
    .action(configuredAction(io, work))
}

function names(text: string): string[] {
  return text.split(',').map((name) => name.trim())
}

async function work(
  screen: Screen,
  config: Config,
  options: Options,
  module: string | undefined,
): Promise<void> {
  const { io } = screen
  const services = new Services(io)
  const stopRequested = io.stopRequested()
  try {
    const tasks = await tasksFor(module, config, io)
    const database = await findRunningDatabase(options, io)
    const { url } = database
    const place = await reach(url)
    const schema = config.get('database.schema')
    const tusk = await Tusk.open({ database: url, schema, listen: false })
    services.add({ stop: () => tusk.close() })
    const sql = config.get('worker.sql') && (await sqlAccess(config, database)).sql
    const worker = await startWorker(workerOptions(config, url, { tasks, sql }, io))
    services.add(workerService(worker))
    const what = [...tasks.map(({ name }) => name), ...(config.get('worker.sql') ? ['SQL'] : [])]
    say(io, `Working on ${what.join(', ')} at ${place}, schema ${schema}; Ctrl-C stops.`)
    const end = options.once ? untilIdle(tusk, worker) : worker.stopped
    await stayUntil(Promise.race([stopRequested, end]))
  } finally {
    await services.stopAll()
  }
}

async function tasksFor(module: string | undefined, config: Config, io: Io): Promise<AnyTask[]> {
  const path =
    module === undefined ? config.get('worker.handlers') : resolve(io.cwd ?? process.cwd(), module)
  if (path !== undefined) return loadTasks(path)
  if (config.get('worker.sql')) return []
  throw new TuskError('invalid_argument', 'there is nothing to work on', {
    hint: 'Name a module with handlers: tusk work ./tasks.mjs; or run SQL tasks: tusk work --sql',
  })
}

interface Work {
  readonly tasks: AnyTask[]
  readonly sql: false | SqlOptions
}

function workerOptions(config: Config, url: string, { tasks, sql }: Work, io: Io) {
  const queues = config.get('worker.queues')
  return {
    database: config.get('database.directUrl') ?? url,
    schema: config.get('database.schema'),
    tasks,
    sql,
    ...(queues === undefined ? {} : { queues }),
    concurrency: config.get('worker.concurrency'),
    chores: config.get('worker.chores'),
    schedules: workerSchedules(config),
    signals: false,
    logger: talkLogger(io, 'worker', config.get('logLevel')),
  }
}

const lookEveryMs = 100

/** A worker that found nothing more to claim lies down, and the database knows. */
async function untilIdle(tusk: Tusk, worker: Worker): Promise<void> {
  for (;;) {
    await pause(lookEveryMs)
    const { running, buffered } = worker.load
    if (running + buffered > 0) continue
    const card = (await tusk.workers()).find(({ id }) => id === worker.id)
    if (card?.asleep && card.tasks === 0) return
  }
}
