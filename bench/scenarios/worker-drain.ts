import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Context } from '../../src/tasks/context.ts'
import type { WorkerOptions } from '../../src/worker/options.ts'
import type { Worker } from '../../src/worker/worker.ts'
import { Meter } from '../measure/meter.ts'
import { fill } from './fill.ts'
import type { Scenario, Stage, Variant } from './scenario.ts'

const queue = 'bench'
const patienceMs = 60_000

export const workerDrain: Scenario = {
  name: 'worker-drain',
  shows:
    'one worker as it comes, with a listener, and with log lines; handlers do nothing; node µs are those of the worker',
  variants: [
    draining('defaults', {}),
    draining('a listener for completed tasks', { listeners: { completed: () => {} } }),
    draining('a log line per completed task', {
      completedLevel: 'info',
      logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    }),
  ],
}

function nothing(): void {}

function draining(name: string, options: Partial<WorkerOptions>): Variant {
  return {
    name,
    suits: (subject) => subject.keepsGroups,
    async round(stage) {
      const { sizes, admin, connections } = stage
      await fill(stage, { queue, count: sizes.tasks })
      const db = await connections.get('watch')
      const meter = await Meter.start(admin, { watch: [db] })
      const worker = await startBenchWorker(stage, () => null, [queue], options)
      await drained(db)
      const figures = await meter.stop(sizes.tasks)
      const spent = await spentByBackends(db)
      await worker.stop()
      return { ...figures, databaseMicros: spent / sizes.tasks, databaseMicrosBy: {} }
    },
  }
}

/** A worker of the subject's version on the stage's own schema, without log output. */
export async function startBenchWorker(
  { subject, admin }: Stage,
  run: (payload: never, context: Context) => unknown,
  queues: readonly string[] = [queue],
  options: Partial<WorkerOptions> = {},
): Promise<Worker> {
  const { host, port, user, password, database } = admin
  const startWorker = await subject.worker?.()
  if (startWorker === undefined) throw new Error(`${subject.name} has no worker`)
  return startWorker({
    database: { host, port, user: user ?? '', password: password ?? '', database: database ?? '' },
    schema: subject.schema,
    tasks: Object.fromEntries(queues.map((name) => [name, run])),
    signals: false,
    logger: false,
    ...options,
  })
}

/** Resolves when no task is left. */
export async function drained(db: Client, withinMs: number = patienceMs): Promise<void> {
  const giveUpAt = performance.now() + withinMs
  const text = 'select exists (select from tasks) as left'
  while ((await db.query<{ left: boolean }>(text)).rows[0]?.left) {
    if (performance.now() > giveUpAt) throw new Error('the worker does not finish')
    await delay(5)
  }
}

/** Processor time of the worker's backends since they started, in microseconds; they started with it. */
export async function spentByBackends(db: Client): Promise<number> {
  const { rows } = await db.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'tusk worker'`,
  )
  const times = await Promise.all(
    rows.map(async ({ pid }) => {
      const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '')
      return Number(text.split(' ')[0]) / 1_000
    }),
  )
  return times.reduce((sum, time) => sum + time, 0)
}
