import type { Queryable } from '../db/queryable.ts'
import type { AfterFailure, Backoff, Json, NewTask, OnDuplicate } from '../engine/task.ts'
import type { Duration } from '../lib/duration.ts'
import type { KnownOptions } from '../lib/require-known.ts'
import type { AnyTask } from './define-task.ts'

/** How to enqueue a task. What you leave out comes from its definition, else from its queue. */
export interface EnqueueOptions {
  /** Your transaction: the task exists if and only if it commits. See `pgtusk/adapters`. */
  readonly on?: Queryable | undefined
  /** A queue other than the task's own. */
  readonly queue?: string | undefined
  /** The earliest time at which it runs. */
  readonly runAt?: Date | undefined
  /** The delay before it can run, by the database's clock. */
  readonly delay?: Duration | undefined
  /** Higher runs first. */
  readonly priority?: number | undefined
  /** At most one live task per queue and key. */
  readonly key?: string | undefined
  /** What happens if the key is taken. Default: `keep` the existing task. */
  readonly onDuplicate?: OnDuplicate | undefined
  /** How long `debounce` waits for a pause, and for how long `throttle` accepts no other task. */
  readonly window?: Duration | undefined
  /** Frees the key when the task starts instead of when it ends. */
  readonly freesKey?: boolean | undefined
  /** The groups whose limits apply to it. */
  readonly groups?: readonly string[] | undefined
  /** It starts only if fewer tasks than this run in each of its groups. */
  readonly maxRunning?: number | undefined
  readonly tags?: readonly string[] | undefined
  readonly version?: number | undefined
  readonly maxAttempts?: number | undefined
  readonly backoff?: Backoff | undefined
  /** The timeout of one attempt. */
  readonly timeout?: Duration | undefined
  /** A task that has not started by then fails as expired. */
  readonly deadline?: Date | undefined
  /** How long it is kept after it has ended. */
  readonly retention?: Duration | undefined
  /** The task that this one came from. */
  readonly parent?: string | undefined
  /** Data kept with the task, beside its payload. */
  readonly meta?: Readonly<Record<string, Json>> | undefined
  /** Ids of tasks that must end before it starts. */
  readonly after?: readonly string[] | undefined
  /** What happens if one of those tasks does not complete. Default: this task fails. */
  readonly afterFailure?: AfterFailure | undefined
}

/** A task that is not declared here, such as one that another service runs. */
export interface RawTask extends EnqueueOptions {
  readonly queue: string
  readonly payload?: unknown
  /** Use it instead of `payload`: the payload as JSON text, whose numbers keep digits that JavaScript would lose. */
  readonly payloadText?: string | undefined
  /** Default: the name of the queue. */
  readonly handler?: string | undefined
  readonly kind?: NewTask['kind'] | undefined
}

/** The names of all options of a task. */
export const enqueueOptions: KnownOptions<EnqueueOptions> = {
  on: true,
  queue: true,
  runAt: true,
  delay: true,
  priority: true,
  key: true,
  onDuplicate: true,
  window: true,
  freesKey: true,
  groups: true,
  maxRunning: true,
  tags: true,
  version: true,
  maxAttempts: true,
  backoff: true,
  timeout: true,
  deadline: true,
  retention: true,
  parent: true,
  meta: true,
  after: true,
  afterFailure: true,
}

export const rawTaskOptions: KnownOptions<RawTask> = {
  ...enqueueOptions,
  payload: true,
  payloadText: true,
  handler: true,
  kind: true,
}

/** The default options that a definition gives its tasks. */
export function defaultsOf(definition: AnyTask): RawTask {
  const {
    name,
    queue = name,
    version,
    priority,
    maxAttempts,
    backoff,
    timeout,
    retention,
  } = definition
  return {
    queue,
    handler: name,
    version,
    priority,
    maxAttempts,
    // A function runs in the worker, after an attempt has failed.
    backoff: typeof backoff === 'function' ? undefined : backoff,
    timeout,
    retention,
  }
}

type WithoutUndefined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> }

/** Leaves out properties that are undefined: they must not override a default. */
export function withoutUndefined<T extends object>(given: T): WithoutUndefined<T> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as WithoutUndefined<T>
}
