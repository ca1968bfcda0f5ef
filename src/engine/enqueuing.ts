import type { Queryable } from '../db/queryable.ts'
import { arrayLiteral } from './array-literal.ts'
import { call } from './call.ts'
import type { Enqueued, NewTask } from './task.ts'
import { timeLiteral } from './time-literal.ts'

/** One property of a new task: its SQL type as an array element, and its value as text. */
interface Property {
  readonly argument: string
  readonly type: string
  readonly read: (task: NewTask) => string | null
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
// Null, from those whom no compiler checks, is nothing too; as text it would be a key that all of them share.
const text = (value: string | number | boolean | undefined | null) =>
  value === undefined || value === null ? null : String(value)
const time = (value: Date | undefined) => (value ? timeLiteral(value) : null)
const array = (value: readonly string[] | undefined | null) =>
  value === undefined || value === null ? null : arrayLiteral(value)

/** In the order in which enqueue_many() names them; those that no task uses are left out of the call. */
const properties: readonly Property[] = [
  { argument: 'p_queues', type: 'text', read: (task) => task.queue },
  {
    argument: 'p_payloads',
    type: 'jsonb',
    read: (task) => task.payloadJson ?? json(task.payload === undefined ? {} : task.payload),
  },
  { argument: 'p_handlers', type: 'text', read: (task) => text(task.handler) },
  { argument: 'p_kinds', type: 'text', read: (task) => text(task.kind) },
  { argument: 'p_priorities', type: 'integer', read: (task) => text(task.priority) },
  { argument: 'p_run_ats', type: 'timestamptz', read: (task) => time(task.runAt) },
  { argument: 'delays', type: 'interval', read: (task) => text(task.delay) },
  { argument: 'p_keys', type: 'text', read: (task) => text(task.key) },
  { argument: 'p_on_duplicates', type: 'text', read: (task) => text(task.onDuplicate) },
  { argument: 'p_windows', type: 'interval', read: (task) => text(task.window) },
  { argument: 'p_frees_keys', type: 'boolean', read: (task) => text(task.freesKey) },
  { argument: 'p_groups', type: 'text', read: (task) => array(task.groups) },
  { argument: 'p_max_runnings', type: 'integer', read: (task) => text(task.maxRunning) },
  { argument: 'p_tags', type: 'text', read: (task) => array(task.tags) },
  { argument: 'p_versions', type: 'integer', read: (task) => text(task.version) },
  { argument: 'p_max_attempts', type: 'integer', read: (task) => text(task.maxAttempts) },
  { argument: 'p_backoffs', type: 'jsonb', read: (task) => json(task.backoff) },
  { argument: 'p_timeouts', type: 'interval', read: (task) => text(task.timeout) },
  { argument: 'p_deadlines', type: 'timestamptz', read: (task) => time(task.deadline) },
  { argument: 'p_retentions', type: 'interval', read: (task) => text(task.retention) },
  { argument: 'p_parents', type: 'bigint', read: (task) => text(task.parent) },
  { argument: 'p_metas', type: 'jsonb', read: (task) => json(task.meta) },
]

/**
 * Enqueues tasks in one statement, all or none; answers in their order. Parameters and answers are
 * text, so that it runs the same on whatever the caller's transaction is made of.
 */
async function enqueueMany(
  db: Queryable,
  schema: string,
  tasks: readonly NewTask[],
): Promise<Enqueued[]> {
  if (tasks.length === 0) return []
  const given = properties
    .map(({ argument, type, read }) => ({ argument, type, values: tasks.map(read) }))
    .filter(({ values }) => values.some((value) => value !== null))
  const args = new Map(
    given.map(({ argument, type }, index) => [argument, `$${index + 1}::text::${type}[]`]),
  )
  fromNowOn(args)
  return call<Enqueued>(
    db,
    `select id::text, outcome from ${schema}.enqueue_many(${listed(args)})`,
    given.map(({ values }) => arrayLiteral(values)),
  )
}

/** Delays become times by the database's clock: that of the caller may be minutes off. */
function fromNowOn(args: Map<string, string>): void {
  const delays = args.get('delays')
  if (delays === undefined) return
  args.delete('delays')
  args.set(
    'p_run_ats',
    `array(
      select coalesce(given.at, clock_timestamp() + given.delay)
      from unnest(${args.get('p_run_ats') ?? 'null::timestamptz[]'}, ${delays})
        with ordinality as given (at, delay, place)
      order by given.place)`,
  )
}

function listed(args: ReadonlyMap<string, string>): string {
  return Array.from(args, ([argument, value]) => `${argument} => ${value}`).join(', ')
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
