import { migrate } from '../../../src/db/migrate.ts'
import { startWorker, Tusk } from '../../../src/index.ts'
import type { Adapter, PeerSubject, PeerTask } from './adapter.ts'

export const tusk: PeerSubject = {
  name: 'tusk',
  title: 'Tusk',
  settings: 'defaults: 10 handlers at once, chores on',
  keeps: 'the task with payload, output, times and attempts for 7 days',
  skills: ['wakes', 'queues', 'groups', 'free groups', 'group places', 'all'],
  pending: 'select exists (select from tusk.tasks) as pending',
  open: async (url) => openTusk(url),
}

function openTusk(url: string): Adapter {
  let opened: Promise<Tusk> | undefined
  const client = () => {
    opened ??= Tusk.open({ database: url })
    return opened
  }
  return {
    install: () => migrate(url).then(() => undefined),
    limitGroups: async (groups, queue, limit) => {
      const { pool, queues } = await client()
      if (limit === 'queue') await queues.set(queue, { groupMaxRunning: 1 })
      if (limit === 'group') {
        const text = `select tusk.set_group('group-' || n, '{"max_running": 1}') from generate_series(0, $1 - 1) as n`
        await pool.query(text, [groups])
      }
    },
    enqueueOne: async (task) => (await client()).enqueueTask(newTask(task)),
    enqueueIn: async (on, task) => (await client()).enqueueTask({ ...newTask(task), on }),
    enqueueMany: async (tasks) => (await client()).enqueueTasks(tasks.map(newTask)),
    startWorker: async ({ queues, onTask }) => {
      const tasks = Object.fromEntries(queues.map((queue) => [queue, onTask]))
      const worker = await startWorker({ database: url, tasks, signals: false, logger: false })
      return () => worker.stop()
    },
    close: async () => (await opened)?.close(),
  }
}

function newTask({ group, ...task }: PeerTask) {
  return { ...task, ...(group === undefined ? {} : { groups: [group] }) }
}
