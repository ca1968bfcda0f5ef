import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Tusk } from '../../client/tusk.ts'
import { TuskError } from '../../lib/errors.ts'
import type { AnyTask } from '../../tasks/define-task.ts'
import type { WorkerOptions } from '../../worker/options.ts'
import type { Worker } from '../../worker/worker.ts'
import type { Config } from '../config/config.ts'
import { reach } from '../database/database.ts'
import { findRunningDatabase } from '../database/running-database.ts'
import type { TuskOptions } from '../database/with-tusk.ts'
import type { Io } from '../process/io.ts'
import { openConsoleLogger } from './console-logger.ts'
import { sqlAccess } from './embedded-sql.ts'
import { loadTasks } from './load-tasks.ts'
import type { Services } from './services.ts'
import { startWorker } from './start-worker.ts'
import { workerService } from './worker-service.ts'
import { workerSchedules } from './worker-settings.ts'

export interface OpenWorkOptions {
  readonly module: string | undefined
  readonly config: Config
  readonly options: TuskOptions
  readonly io: Io
  readonly services: Services
  /** How long a handler may take to stop after it was asked to. */
  readonly graceMs?: number
}

export interface OpenWork {
  readonly tusk: Tusk
  readonly worker: Worker
  /** What it works on, and where, for people. */
  readonly what: string
  readonly place: string
}

/** Starts the worker of `tusk work` and `tusk drain`: for handlers, SQL tasks, or endpoints. */
export async function openWork(given: OpenWorkOptions): Promise<OpenWork> {
  const { module, config, options, io, services, graceMs } = given
  const pushes = config.get('worker.push')
  const tasks = pushes ? [] : await tasksFor(module, config, io)
  const database = await findRunningDatabase(options, io)
  const { url } = database
  const place = await reach(url)
  const tusk = await Tusk.open({
    database: url,
    schema: config.get('database.schema'),
    listen: false,
  })
  services.add({ stop: () => tusk.close() })
  const runsSql = config.get('worker.sql') && !pushes
  const sql = runsSql && (await sqlAccess(config, database)).sql
  const what = pushes ? { push: { allow: config.get('worker.pushAllow') ?? [] } } : { tasks, sql }
  const worker = await startWorker({
    ...workerOptions(config, url, io),
    ...what,
    ...(graceMs === undefined ? {} : { graceMs }),
  })
  services.add(workerService(worker))
  const said = pushes ? ['push'] : [...tasks.map(({ name }) => name), ...(runsSql ? ['SQL'] : [])]
  return { tusk, worker, what: said.join(', '), place }
}

async function tasksFor(module: string | undefined, config: Config, io: Io): Promise<AnyTask[]> {
  const path =
    module === undefined ? config.get('worker.handlers') : resolve(io.cwd ?? process.cwd(), module)
  if (path !== undefined) return loadTasks(path)
  if (config.get('worker.sql')) return []
  throw new TuskError('invalid_argument', 'this worker would have nothing to run', {
    hint: 'Name a module with handlers: tusk work ./tasks.mjs. Or run SQL tasks: tusk work --sql',
  })
}

function workerOptions(config: Config, url: string, io: Io): WorkerOptions {
  const queues = config.get('worker.queues')
  return {
    database: config.get('database.directUrl') ?? url,
    schema: config.get('database.schema'),
    ...(queues === undefined ? {} : { queues }),
    concurrency: config.get('worker.concurrency'),
    timeoutMs: config.get('worker.timeout'),
    chores: config.get('worker.chores'),
    schedules: workerSchedules(config),
    signals: false,
    logger: openConsoleLogger(io, 'worker', config.get('logLevel')),
  }
}

const lookEveryMs = 100

/** A worker that found nothing more to claim lies down, and the database knows. */
export async function untilIdle(tusk: Tusk, worker: Worker): Promise<void> {
  for (;;) {
    await pause(lookEveryMs)
    const { running, buffered } = worker.load
    if (running + buffered > 0) continue
    const card = (await tusk.workers.list()).find(({ id }) => id === worker.id)
    if (card?.asleep && card.tasks === 0) return
  }
}
