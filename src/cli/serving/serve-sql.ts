import { setTimeout as pause } from 'node:timers/promises'
import { backgroundQueue } from '../dialects/pg-background.ts'
import { taskQueues } from '../dialects/pg-task/task-queues.ts'
import { startWorker, type Worker } from '../worker/worker.ts'
import { type Io, paint, say } from './io.ts'

/** How often task tables that were made meanwhile are looked for. */
const lookEveryMs = 3_000
/** How long SQL that runs may go on after Ctrl-C. */
const finishWithinMs = 2_000

export interface SqlService {
  stop(): Promise<void>
}

/**
 * Runs SQL tasks, fires schedules and keeps house; only what goes wrong is said. Task tables that are
 * made while it runs get a worker of their own.
 */
export async function serveSql(url: string, schema: string, io: Io): Promise<SqlService> {
  const logger = complaintsOnly(io)
  const common = { database: url, schema, sql: true, signals: false, logger } as const
  const served = new Set(['sql', backgroundQueue, ...(await taskQueues(url, schema))])
  const workers: Worker[] = [await startWorker({ ...common, queues: [...served] })]
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
  return {
    stop: async () => {
      stopping.abort()
      await following
      await Promise.all(workers.map((worker) => worker.stop({ deadlineMs: finishWithinMs })))
    },
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

function complaintsOnly(io: Io) {
  const hear = (fields: object, message: string) => {
    const { err } = fields as { err?: Error }
    say(io, paint(io, 'dim', `worker: ${message}${err === undefined ? '' : `: ${err.message}`}`))
  }
  return { debug: () => {}, info: () => {}, warn: hear, error: hear }
}
