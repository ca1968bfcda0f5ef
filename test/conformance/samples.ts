import { expect } from 'vitest'
import type { ClaimedTask, Json, NewTask } from '../../src/engine/task.ts'
import type { TestEngine } from '../support/test-engine.ts'
import { taskAsObject } from './objects-door.ts'

/** A task as the tables have it: what was given, and what the engine wrote beside it. */
export type StoredTask = Readonly<Record<string, unknown>>

/** What is stored of a task as its submitter gave it. `on_duplicate` and `window` are acted on, not stored. */
export const properties = [
  'queue',
  'payload',
  'handler',
  'kind',
  'priority',
  'run_at',
  'key',
  'frees_key',
  'groups',
  'max_running',
  'tags',
  'version',
  'max_attempts',
  'backoff',
  'timeout',
  'deadline',
  'retention',
  'parent',
  'meta',
] as const

/** Columns that are not read as they are. A large payload is in a table of its own. */
const spelled: Partial<Record<string, string>> = {
  timeout: 'timeout::text as timeout',
  retention: 'retention::text as retention',
  payload:
    'coalesce(payload, (select large.payload from payloads as large where task = id)) as payload',
}

const columns = [
  ...properties.map((name) => spelled[name] ?? name),
  'iteration',
  'attempt',
  'created_at',
  'submitted_by',
].join(', ')

/** The row of a task, live or finished. */
export async function stored(engine: TestEngine, id: string): Promise<StoredTask> {
  const rows = await engine.rows(
    `select ${columns} from tasks where id = $1 union all select ${columns} from finished where id = $1`,
    id,
  )
  expect(rows).toHaveLength(1)
  return rows[0] ?? {}
}

/** A row without some of its columns. */
export function without(row: StoredTask, ...names: string[]): StoredTask {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))
}

export const longAgo = new Date('2020-01-02T03:04:05.000Z')
export const farAhead = new Date('2100-06-07T08:09:10.000Z')
export const queue = 'reports'

/** A task with every property that the short way of enqueue() takes. No two values of one type are alike. */
export const plainTask = (parent: string): NewTask & { queue: string } => ({
  queue,
  payload: { month: 7 },
  handler: 'monthly',
  kind: 'handler',
  priority: 7,
  runAt: longAgo,
  key: 'july',
  freesKey: true,
  maxRunning: 3,
  tags: ['red', 'green'],
  version: 4,
  maxAttempts: 6,
  timeout: '00:11:00',
  deadline: farAhead,
  retention: '13:00:00',
  parent,
  meta: { trace: 'x' },
})

/** The same with groups and a backoff, which need the long way. */
export const fullTask = (parent: string): NewTask & { queue: string } => ({
  ...plainTask(parent),
  groups: ['customer 1', 'with "quotes", {braces} and \\'],
  backoff: { kind: 'fixed', base: '90 seconds' },
})

/** A document, whose kind is not the default and which has no handler. */
export const documentTask = (parent: string): NewTask & { queue: string } => {
  const { handler: _, ...rest } = plainTask(parent)
  return { ...rest, kind: 'document', payload: ['a', { document: true }] }
}

/** A task whose payload does not fit into its row. */
export const largeTask = (parent: string): NewTask & { queue: string } => ({
  ...fullTask(parent),
  payload: { text: 'large '.repeat(1_000) },
})

export const samples = {
  plain: plainTask,
  full: fullTask,
  document: documentTask,
  large: largeTask,
} as const
export type SampleName = keyof typeof samples
export const sampleNames = Object.keys(samples) as SampleName[]

/** What is stored of a task that says nothing but its queue. */
const unsaid = {
  ...Object.fromEntries(properties.map((name) => [name, null])),
  payload: {},
  kind: 'handler',
  priority: 0,
  version: 1,
  run_at: undefined,
}

/** How the row of a task must look. */
export function expectedRow(task: NewTask): StoredTask {
  const said = Object.entries(taskAsObject(task)).filter(([, value]) => value !== undefined)
  const {
    on_duplicate: _,
    window: __,
    ...row
  } = { ...unsaid, ...Object.fromEntries(said) } as Record<string, unknown>
  const handler = row['kind'] === 'handler' ? task.queue : null
  return { ...row, handler: task.handler ?? handler }
}

/** What claim() hands over of a task. */
export function expectedClaim(row: StoredTask): StoredTask {
  const claimed = without(
    row,
    'frees_key',
    'max_running',
    'backoff',
    'retention',
    'submitted_by',
    'attempt',
  )
  return { ...claimed, iteration: Number(row['iteration']) }
}

/** A sample that is stored: the sample, its id and its row. */
export interface Kept {
  readonly given: NewTask & { readonly queue: string }
  readonly id: string
  readonly row: StoredTask
}

/** Stores a sample through the door. Its parent is a task in another queue. */
export async function keep(
  engine: TestEngine,
  name: SampleName,
  changes: Partial<NewTask> = {},
): Promise<Kept> {
  const parent = await engine.value<string>(`select id from enqueue('parents')`)
  const given = { ...samples[name](parent), ...changes }
  const { id, outcome } = await engine.enqueue(given)
  expect(outcome).toBe('created')
  return { given, id, row: await stored(engine, id) }
}

/** Stores a sample and claims it. */
export async function keepRunning(
  engine: TestEngine,
  name: SampleName,
  changes: Partial<NewTask> = {},
): Promise<Kept & { readonly task: ClaimedTask }> {
  const kept = await keep(engine, name, changes)
  const task = await engine.claimOne(kept.given.queue, { worker: 'ada' })
  expect(task.id).toBe(kept.id)
  return { ...kept, task }
}

export const seconds = (time: unknown): number => (time as Date).getTime() / 1000
export const json = (value: unknown): Json => value as Json

/** The database's clock. */
export const now = (engine: TestEngine): Promise<Date> => engine.value('select clock_timestamp()')

/** Whether a time is so many seconds from now, give or take a minute for a slow machine. */
export async function expectFromNow(engine: TestEngine, time: unknown, wanted: number) {
  const off = seconds(time) - seconds(await now(engine)) - wanted
  expect(off).toBeGreaterThan(-60)
  expect(off).toBeLessThan(60)
}
