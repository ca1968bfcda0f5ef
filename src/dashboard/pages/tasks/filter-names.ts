import type { FilterName } from '../../lib/suggest.ts'
import { timeNames } from '../../lib/task-filter.ts'
import type { Page, QueueStats, Stats, Task, Worker } from '../../model.ts'

const reasons = [
  'error',
  'timeout',
  'lost',
  'rejected',
  'killed',
  'expired',
  'aborted',
  'dependency',
]

const moments = ['10 minutes ago', '1 hour ago', 'today', '24 hours ago', '7 days ago']

interface Known {
  readonly stats: Stats | null
  readonly workers: Page<Worker> | null
  readonly tasks: readonly Task[]
}

/** What the filter bar offers; values come from what the page knows already. */
export function filterNames(known: () => Known): readonly FilterName[] {
  const queues = (): readonly QueueStats[] => known().stats?.queues ?? []
  const ofTasks = (values: (task: Task) => readonly (string | null)[]) => () =>
    distinct(known().tasks.flatMap(values))
  const ofWorkers = (value: (worker: Worker) => string) => () =>
    distinct((known().workers?.items ?? []).map(value))
  return [
    { name: 'queue', hint: 'the queue', values: () => queues().map(({ queue }) => queue) },
    { name: 'handler', hint: 'the handler', values: ofTasks(({ handler }) => [handler]) },
    { name: 'kind', hint: 'who performs it', values: () => ['handler', 'sql', 'document'] },
    { name: 'key', hint: 'its key', values: ofTasks(({ key }) => [key]) },
    { name: 'tag', hint: 'one of its tags', values: ofTasks(({ tags }) => tags ?? []) },
    { name: 'group', hint: 'one of its groups', values: ofTasks(({ groups }) => groups ?? []) },
    { name: 'reason', hint: 'why it ended', values: () => reasons },
    {
      name: 'code',
      hint: 'the code of its error',
      values: ofTasks(({ error }) => [error?.code ?? null]),
    },
    { name: 'error', hint: 'the fingerprint of its error' },
    { name: 'worker', hint: 'who runs or ran it', values: ofWorkers(({ id }) => id) },
    { name: 'host', hint: 'where that worker is', values: ofWorkers(({ host }) => host) },
    { name: 'parent', hint: 'the id of its parent' },
    {
      name: 'submitted_by',
      hint: 'the role that enqueued it',
      values: ofTasks(({ submitted_by }) => [submitted_by]),
    },
    ...timeNames.map((name) => ({ name, hint: 'a time', values: () => moments })),
  ]
}

function distinct(values: readonly (string | null)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== null))].sort()
}
