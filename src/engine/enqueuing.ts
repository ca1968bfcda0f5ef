import type { Queryable } from '../db/queryable.ts'
import { call } from './call.ts'
import type { Enqueued, NewTask } from './task.ts'

/** One property of a new task: its SQL type as an array element, and how it is read. */
interface Property {
  readonly argument: string
  readonly type: string
  readonly read: (task: NewTask) => unknown
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/** In the order in which enqueue_many() names them; those that no task uses are left out of the call. */
const properties: readonly Property[] = [
  { argument: 'p_queues', type: 'text', read: (task) => task.queue },
  {
    argument: 'p_payloads',
    type: 'jsonb',
    read: (task) => json(task.payload === undefined ? {} : task.payload),
  },
  { argument: 'p_handlers', type: 'text', read: (task) => task.handler },
  { argument: 'p_kinds', type: 'text', read: (task) => task.kind },
  { argument: 'p_priorities', type: 'integer', read: (task) => task.priority },
  { argument: 'p_run_ats', type: 'timestamptz', read: (task) => task.runAt },
  { argument: 'p_keys', type: 'text', read: (task) => task.key },
  { argument: 'p_on_duplicates', type: 'text', read: (task) => task.onDuplicate },
  { argument: 'p_windows', type: 'interval', read: (task) => task.window },
  { argument: 'p_frees_keys', type: 'boolean', read: (task) => task.freesKey },
  { argument: 'p_groups', type: 'text', read: (task) => arrayLiteral(task.groups) },
  { argument: 'p_max_runnings', type: 'integer', read: (task) => task.maxRunning },
  { argument: 'p_tags', type: 'text', read: (task) => arrayLiteral(task.tags) },
  { argument: 'p_versions', type: 'integer', read: (task) => task.version },
  { argument: 'p_max_attempts', type: 'integer', read: (task) => task.maxAttempts },
  { argument: 'p_backoffs', type: 'jsonb', read: (task) => json(task.backoff) },
  { argument: 'p_timeouts', type: 'interval', read: (task) => task.timeout },
  { argument: 'p_deadlines', type: 'timestamptz', read: (task) => task.deadline },
  { argument: 'p_retentions', type: 'interval', read: (task) => task.retention },
  { argument: 'p_parents', type: 'bigint', read: (task) => task.parent },
  { argument: 'p_metas', type: 'jsonb', read: (task) => json(task.meta) },
]

/** Enqueues tasks in one statement, all or none; answers in their order. */
async function enqueueMany(
  db: Queryable,
  schema: string,
  tasks: readonly NewTask[],
): Promise<Enqueued[]> {
  if (tasks.length === 0) return []
  const given = properties
    .map(({ argument, type, read }) => ({
      argument,
      type,
      values: tasks.map((task) => read(task) ?? null),
    }))
    .filter(
      ({ argument, values }) => argument === 'p_queues' || values.some((value) => value !== null),
    )
  const args = given.map(({ argument, type }, index) => `${argument} => $${index + 1}::${type}[]`)
  return call<Enqueued>(
    db,
    `select * from ${schema}.enqueue_many(${args.join(', ')})`,
    given.map(({ values }) => values),
  )
}

/** Putting tasks into queues. */
export function enqueuing(schema: string) {
  return {
    async enqueue(db: Queryable, task: NewTask): Promise<Enqueued> {
      const [enqueued] = await enqueueMany(db, schema, [task])
      if (enqueued === undefined) throw new Error('enqueue_many() answered nothing')
      return enqueued
    },
    enqueueMany: (db: Queryable, tasks: readonly NewTask[]) => enqueueMany(db, schema, tasks),
  }
}

/** An array as an element of an array: Postgres takes it as a literal of its own. */
function arrayLiteral(elements: readonly string[] | undefined): string | undefined {
  if (elements === undefined) return undefined
  const quoted = elements.map((element) => `"${element.replaceAll(/["\\]/g, '\\$&')}"`)
  return `{${quoted.join(',')}}`
}
