import { peerFolder } from '../folder.ts'
import type { Adapter, Payload, PeerSubject, PeerTask } from './adapter.ts'

interface JobSpec {
  readonly queueName?: string
  readonly runAt?: Date
  readonly priority?: number
}

interface WorkerUtils {
  migrate(): Promise<void>
  addJob(identifier: string, payload: unknown, spec: JobSpec): Promise<unknown>
  addJobs(specs: readonly (JobSpec & { identifier: string; payload: unknown })[]): Promise<unknown>
  release(): Promise<void>
}

interface GraphileWorker {
  readonly Logger: new (factory: () => () => void) => unknown
  makeWorkerUtils(options: object): Promise<WorkerUtils>
  run(options: object): Promise<{ stop(): Promise<void> }>
}

/** Room for 32 callers at once. */
const producerConnections = 32

const shared = {
  keeps: 'nothing: a job that is done is deleted',
  skills: ['wakes', 'queues', 'groups', 'all'],
  pending: 'select exists (select from graphile_worker._private_jobs) as pending',
} as const

/** Batches on both ways. Concurrency of 10 to 100, sizes to 1,000 and delays to 10 ms cost the same CPU per job. */
export const graphileTuned: PeerSubject = {
  ...shared,
  name: 'graphile',
  title: 'graphile-worker, tuned',
  settings:
    '`concurrentJobs` 24, `localQueue.size` 500, `completeJobBatchDelay` 0, `failJobBatchDelay` 0',
  open: (url) =>
    openGraphile(url, {
      concurrentJobs: 24,
      localQueue: { size: 500 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    }),
}

export const graphileDefault: PeerSubject = {
  ...shared,
  skills: [],
  name: 'graphile-default',
  title: 'graphile-worker, defaults',
  settings: 'defaults, but `concurrentJobs` 10 as in Tusk: no batches',
  open: (url) => openGraphile(url, { concurrentJobs: 10 }),
}

async function openGraphile(connectionString: string, worker: object): Promise<Adapter> {
  const graphile = await peerFolder.import<GraphileWorker>('graphile-worker')
  const logger = new graphile.Logger(() => () => {})
  let opened: Promise<WorkerUtils> | undefined
  const utils = () => {
    opened ??= graphile.makeWorkerUtils({
      connectionString,
      logger,
      maxPoolSize: producerConnections,
    })
    return opened
  }
  return {
    install: async () => (await utils()).migrate(),
    enqueueOne: async (task) => (await utils()).addJob(task.queue, task.payload, spec(task)),
    enqueueIn: (transaction, { queue, payload }) =>
      transaction.query('select graphile_worker.add_job($1, $2::json)', [
        queue,
        JSON.stringify(payload),
      ]),
    enqueueMany: async (tasks) =>
      (await utils()).addJobs(
        tasks.map((task) => ({ ...spec(task), identifier: task.queue, payload: task.payload })),
      ),
    startWorker: async ({ queues, onTask }) => {
      const run = async (payload: Payload) => onTask(payload)
      const runner = await graphile.run({
        preset: { worker: { connectionString, ...worker } },
        taskList: Object.fromEntries(queues.map((queue) => [queue, run])),
        parsedCronItems: [],
        noHandleSignals: true,
        logger,
      })
      return () => runner.stop()
    },
    close: async () => (await opened)?.release(),
  }
}

/** Its smallest priority runs first. Its named queues are serial, so they are its groups of limit 1. */
function spec({ priority, runAt, group }: PeerTask): JobSpec {
  return {
    ...(priority === undefined ? {} : { priority: -priority }),
    ...(runAt === undefined ? {} : { runAt }),
    ...(group === undefined ? {} : { queueName: group }),
  }
}
