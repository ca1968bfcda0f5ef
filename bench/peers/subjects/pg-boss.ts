import type { Client } from 'pg'
import { peerFolder } from '../folder.ts'
import type { Adapter, Payload, PeerSubject, PeerTask } from './adapter.ts'

interface Boss {
  on(event: 'error' | 'warning', listener: (error: Error) => void): void
  start(): Promise<unknown>
  stop(options: object): Promise<void>
  createQueue(name: string, options: object): Promise<void>
  send(name: string, data: Payload, options: object): Promise<unknown>
  insert(name: string, jobs: readonly object[]): Promise<unknown>
  work(
    name: string,
    options: object,
    run: (jobs: readonly { data: Payload }[]) => Promise<void>,
  ): Promise<unknown>
}

const producerConnections = 32

const quickPolls = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 }

const shared = {
  keeps: 'the job with payload, output and times for 7 days',
  pending: `select exists (select from pgboss.job where state < 'completed') as pending`,
} as const

/** Two fetch at a time, as there are two cores. Batches to 2,000 and four workers took more CPU per job, not less. */
export const bossTuned: PeerSubject = {
  ...shared,
  name: 'pg-boss',
  title: 'pg-boss, tuned',
  settings:
    '`batchSize` 500, `burstWhenBatchFull`, `localConcurrency` 2, `useListenNotify` and `notify`; for groups `groupConcurrency` 1 and a poll every 0.5 s',
  skills: ['wakes', 'queues', 'groups', 'free groups', 'all'],
  open: (url) =>
    openBoss(url, true, { batchSize: 500, burstWhenBatchFull: true, localConcurrency: 2 }),
}

export const bossDefault: PeerSubject = {
  ...shared,
  name: 'pg-boss-default',
  title: 'pg-boss, defaults',
  settings: 'defaults, but `localConcurrency` 10 as in Tusk: one job each every 2 s',
  skills: [],
  open: (url) => openBoss(url, false, { localConcurrency: 10 }),
}

async function openBoss(connectionString: string, notify: boolean, work: object): Promise<Adapter> {
  const { PgBoss } = await peerFolder.import<{ PgBoss: new (options: object) => Boss }>('pg-boss')
  const start = async (options: object) => {
    const boss = new PgBoss({ connectionString, useListenNotify: notify, ...options })
    boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`))
    await boss.start()
    return boss
  }
  let opened: Promise<Boss> | undefined
  const sender = () => {
    opened ??= start({
      max: producerConnections,
      supervise: false,
      schedule: false,
      useListenNotify: false,
    })
    return opened
  }
  return {
    install: async (queues) => {
      const boss = await sender()
      for (const queue of queues) await boss.createQueue(queue, { notify })
    },
    enqueueOne: async (task) => (await sender()).send(task.queue, task.payload, options(task)),
    enqueueIn: async (transaction, task) =>
      (await sender()).send(task.queue, task.payload, { ...options(task), db: over(transaction) }),
    enqueueMany: async (tasks) => {
      const boss = await sender()
      for (const queue of new Set(tasks.map((task) => task.queue))) {
        const some = tasks.filter((task) => task.queue === queue)
        await boss.insert(
          queue,
          some.map((task) => ({ ...options(task), data: task.payload })),
        )
      }
    },
    startWorker: async ({ queues, groupLimit, onTask }) => {
      const boss = await start({})
      // With limits a batch is rarely full, and only polls find what a limit held back.
      const limit = groupLimit === 'none' ? {} : { groupConcurrency: 1, ...quickPolls }
      const run = async (jobs: readonly { data: Payload }[]) => {
        for (const { data } of jobs) onTask(data)
      }
      for (const queue of queues) await boss.work(queue, { ...work, ...limit }, run)
      return () => boss.stop({ graceful: true, close: true, timeout: 5_000 })
    },
    close: async () => (await opened)?.stop({ graceful: false, close: true }),
  }
}

function over(transaction: Client) {
  return { executeSql: (text: string, values?: unknown[]) => transaction.query(text, values) }
}

function options({ priority, runAt, group }: PeerTask): object {
  return {
    ...(priority === undefined ? {} : { priority }),
    ...(runAt === undefined ? {} : { startAfter: runAt }),
    ...(group === undefined ? {} : { group: { id: group } }),
  }
}
