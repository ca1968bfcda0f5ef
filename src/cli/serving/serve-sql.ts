import { setTimeout as pause } from 'node:timers/promises'
import { fetchqMaintenance } from '../../dialects/fetchq/maintenance.ts'
import { backgroundQueue } from '../../dialects/pg-background.ts'
import { taskQueues } from '../../dialects/pg-task/task-queues.ts'
import { pgTaskUpkeep } from '../../dialects/pg-task/upkeep.ts'
import type { SqlOptions } from '../../worker/sql-options.ts'
import type { Worker } from '../../worker/worker.ts'
import type { Config } from '../config/config.ts'
import type { Io } from '../process/io.ts'
import { openConsoleLogger } from './console-logger.ts'
import { helloTask } from './hello-task.ts'
import type { Service } from './services.ts'
import { startWorker } from './start-worker.ts'
import { tasksOf, workerSchedules } from './worker-settings.ts'

/** How often task tables that were made meanwhile are looked for. */
const lookEveryMs = 3_000
/** How long what runs may go on after Ctrl-C. */
const finishWithinMs = 2_000

export interface ServeSqlOptions {
  readonly url: string
  readonly schema: string
  readonly config: Config
  readonly io: Io
  readonly sql: SqlOptions
}

/**
 * Runs SQL tasks and the handlers that are configured, fires schedules and keeps house; only what goes
 * wrong is said. Task tables that are made while it runs get a worker of their own.
 */
export async function serveSql(options: ServeSqlOptions): Promise<Service> {
  const { url, schema, config, io, sql } = options
  const logger = openConsoleLogger(io, 'worker', config.get('logLevel'))
  const concurrency = config.get('worker.concurrency')
  const timeoutMs = config.get('worker.timeout')
  const common = {
    database: url,
    schema,
    sql,
    signals: false,
    logger,
    concurrency,
    timeoutMs,
  } as const
  const own = await tasksOf(config)
  const isTaken = own.some(({ name }) => name === helloTask.name)
  const tasks = isTaken ? own : [...own, helloTask]
  const served = new Set(['sql', backgroundQueue, ...(await taskQueues(url, schema))])
  for (const { queue, name } of tasks) served.add(queue ?? name)
  for (const queue of config.get('worker.queues') ?? []) served.add(queue)
  const workers: Worker[] = [
    await startWorker({
      ...common,
      tasks,
      queues: [...served],
      chores: config.get('worker.chores') && {
        chores: [fetchqMaintenance(schema), pgTaskUpkeep(schema)],
      },
      schedules: workerSchedules(config),
    }),
  ]
  const stopping = new AbortController()

  const serveNew = async () => {
    const fresh = (await taskQueues(url, schema)).filter((queue) => !served.has(queue))
    if (fresh.length === 0 || stopping.signal.aborted) return
    for (const queue of fresh) served.add(queue)
    workers.push(await startWorker({ ...common, queues: fresh, chores: false }))
  }
  const following = repeat(serveNew, stopping.signal, (err) =>
    logger.warn({ err }, 'cannot look for task tables'),
  )
  const stopWorkers = (deadlineMs: number) =>
    Promise.all(workers.map((worker) => worker.stop({ deadlineMs })))
  return {
    stop: async () => {
      stopping.abort()
      await following
      await stopWorkers(finishWithinMs)
    },
    hurry: () => void stopWorkers(0),
  }
}

async function repeat(
  work: () => Promise<void>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  let isFailing = false
  while (await pause(lookEveryMs, true, { signal }).catch(() => false)) {
    try {
      await work()
      isFailing = false
    } catch (error) {
      if (!isFailing) onError(error)
      isFailing = true
    }
  }
}
