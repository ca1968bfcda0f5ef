import type { Queryable } from '../db/queryable.ts'
import { arrayLiteral } from './array-literal.ts'
import { type Bundle, toBundles } from './bundles.ts'
import { call, callOne } from './call.ts'
import type { Enqueued, NewTask } from './task.ts'
import { timeLiteral } from './time-literal.ts'

/** One property of a new task: its name in the verbs, its SQL type, and its value as text. */
interface Property {
  /** The name of the array argument of enqueue_many(). */
  readonly argument: string
  /** The name of the argument of enqueue(). */
  readonly single: string
  readonly type: string
  readonly read: (task: NewTask) => string | null
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
// Callers without a type checker may pass null. It counts as absent: as text, "null" would become a key that all of
// them share.
const text = (value: string | number | boolean | undefined | null) =>
  value === undefined || value === null ? null : String(value)
const time = (value: Date | undefined) => (value ? timeLiteral(value) : null)
const payload = (task: NewTask) =>
  task.payloadJson ?? json(task.payload === undefined ? {} : task.payload)
const array = (value: readonly string[] | undefined | null) =>
  value === undefined || value === null ? null : arrayLiteral(value)

/** In the order of the verbs' arguments. Properties that no task uses are left out of the call. */
const properties: readonly Property[] = [
  { argument: 'p_queues', single: 'p_queue', type: 'text', read: (task) => task.queue },
  {
    argument: 'p_payloads',
    single: 'p_payload',
    type: 'jsonb',
    read: payload,
  },
  { argument: 'p_handlers', single: 'p_handler', type: 'text', read: (task) => text(task.handler) },
  { argument: 'p_kinds', single: 'p_kind', type: 'text', read: (task) => text(task.kind) },
  {
    argument: 'p_priorities',
    single: 'p_priority',
    type: 'integer',
    read: (task) => text(task.priority),
  },
  {
    argument: 'p_run_ats',
    single: 'p_run_at',
    type: 'timestamptz',
    read: (task) => time(task.runAt),
  },
  { argument: 'delays', single: 'delay', type: 'interval', read: (task) => text(task.delay) },
  { argument: 'p_keys', single: 'p_key', type: 'text', read: (task) => text(task.key) },
  {
    argument: 'p_on_duplicates',
    single: 'p_on_duplicate',
    type: 'text',
    read: (task) => text(task.onDuplicate),
  },
  {
    argument: 'p_windows',
    single: 'p_window',
    type: 'interval',
    read: (task) => text(task.window),
  },
  {
    argument: 'p_frees_keys',
    single: 'p_frees_key',
    type: 'boolean',
    read: (task) => text(task.freesKey),
  },
  { argument: 'p_groups', single: 'p_groups', type: 'text[]', read: (task) => array(task.groups) },
  {
    argument: 'p_max_runnings',
    single: 'p_max_running',
    type: 'integer',
    read: (task) => text(task.maxRunning),
  },
  { argument: 'p_tags', single: 'p_tags', type: 'text[]', read: (task) => array(task.tags) },
  {
    argument: 'p_versions',
    single: 'p_version',
    type: 'integer',
    read: (task) => text(task.version),
  },
  {
    argument: 'p_max_attempts',
    single: 'p_max_attempts',
    type: 'integer',
    read: (task) => text(task.maxAttempts),
  },
  {
    argument: 'p_backoffs',
    single: 'p_backoff',
    type: 'jsonb',
    read: (task) => json(task.backoff),
  },
  {
    argument: 'p_timeouts',
    single: 'p_timeout',
    type: 'interval',
    read: (task) => text(task.timeout),
  },
  {
    argument: 'p_deadlines',
    single: 'p_deadline',
    type: 'timestamptz',
    read: (task) => time(task.deadline),
  },
  {
    argument: 'p_retentions',
    single: 'p_retention',
    type: 'interval',
    read: (task) => text(task.retention),
  },
  { argument: 'p_parents', single: 'p_parent', type: 'bigint', read: (task) => text(task.parent) },
  { argument: 'p_metas', single: 'p_meta', type: 'jsonb', read: (task) => json(task.meta) },
  { argument: 'p_afters', single: 'p_after', type: 'bigint[]', read: (task) => array(task.after) },
  {
    argument: 'p_after_failures',
    single: 'p_after_failure',
    type: 'text',
    read: (task) => text(task.afterFailure),
  },
]

/** An argument of enqueue_many(), with one value per task or bundle. */
interface Argument {
  readonly argument: string
  readonly type: string
  readonly values: readonly (string | null)[]
}

/**
 * Enqueues tasks in one statement, all or none. Returns the results in the same order. Parameters and results are text,
 * so that it works the same with every driver that a caller's transaction may use.
 */
async function enqueueMany(
  db: Queryable,
  schema: string,
  tasks: readonly NewTask[],
): Promise<Enqueued[]> {
  if (tasks.length === 0) return []
  const bundles = toBundles(tasks, payload)
  const given = bundles === undefined ? argumentsOf(tasks) : bundledArguments(bundles)
  const args = new Map(
    // A value that is itself an array is passed as an array literal, because Postgres has no arrays of arrays.
    given.map(({ argument, type }, index) => [
      argument,
      `$${index + 1}::text::${type.endsWith('[]') ? 'text' : type}[]`,
    ]),
  )
  startDelayedMany(args)
  // One row for all results: reading a row per task took as long as everything else.
  const answers = await call<{ ids: string; outcomes: string | null }>(
    db,
    `select array_agg(id)::text as ids,
       case when bool_or(outcome <> 'created') then string_agg(outcome, ',') end as outcomes
     from ${schema}.enqueue_many(${listed(args)})`,
    given.map(({ values }) => arrayLiteral(values)),
  )
  return answers.flatMap(readAnswers)
}

function argumentsOf(tasks: readonly NewTask[]): Argument[] {
  return properties
    .map(({ argument, type, read }) => ({ argument, type, values: tasks.map(read) }))
    .filter(({ values }) => values.some((value) => value !== null))
}

function bundledArguments(bundles: readonly Bundle[]): Argument[] {
  const payloads = bundles.map((bundle) => bundle.payload)
  const given = argumentsOf(bundles.map(({ task }) => task)).map((each) =>
    each.argument === 'p_payloads' ? { ...each, values: payloads } : each,
  )
  const sizes = bundles.map(({ size }) => String(size))
  return [...given, { argument: 'p_sizes', type: 'integer', values: sizes }]
}

function readAnswers({ ids, outcomes }: { ids: string; outcomes: string | null }): Enqueued[] {
  const each = outcomes?.split(',') as Enqueued['outcome'][] | undefined
  return ids
    .slice(1, -1)
    .split(',')
    .map((id, place) => ({ id, outcome: each?.[place] ?? 'created' }))
}

async function enqueueOne(db: Queryable, schema: string, task: NewTask): Promise<Enqueued> {
  const args = new Map<string, string>()
  const values: string[] = []
  for (const { single, type, read } of properties) {
    const value = read(task)
    if (value !== null) args.set(single, `$${values.push(value)}::text::${type}`)
  }
  startDelayed(args)
  const text = `select id::text, outcome from ${schema}.enqueue(${listed(args)})`
  return callOne<Enqueued>(db, text, values)
}

/** Converts delays to times by the database's clock. The caller's clock may be minutes off. */
function startDelayedMany(args: Map<string, string>): void {
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

/** The same for a single task. */
function startDelayed(args: Map<string, string>): void {
  const delay = args.get('delay')
  args.delete('delay')
  if (delay !== undefined && !args.has('p_run_at'))
    args.set('p_run_at', `clock_timestamp() + ${delay}`)
}

function listed(args: ReadonlyMap<string, string>): string {
  return Array.from(args, ([argument, value]) => `${argument} => ${value}`).join(', ')
}

/** Enqueues tasks. */
export function enqueuing(schema: string) {
  return {
    enqueue: (db: Queryable, task: NewTask) => enqueueOne(db, schema, task),
    enqueueMany: (db: Queryable, tasks: readonly NewTask[]) => enqueueMany(db, schema, tasks),
    /**
     * Enqueues many tasks with enqueue_many(). A single one goes through enqueue(), which has no arrays to parse and
     * takes two thirds of the time.
     */
    async enqueueTasks(db: Queryable, tasks: readonly NewTask[]): Promise<Enqueued[]> {
      const [task] = tasks
      if (task === undefined || tasks.length > 1) return enqueueMany(db, schema, tasks)
      return [await enqueueOne(db, schema, task)]
    },
  }
}
