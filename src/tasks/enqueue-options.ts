import type { Queryable } from '../db/queryable.ts'
import type { AfterFailure, Backoff, Json, NewTask, OnDuplicate } from '../engine/task.ts'
import type { Duration } from '../lib/duration.ts'
import type { KnownOptions } from '../lib/require-known.ts'
import type { AnyTask } from './define-task.ts'

/** How a task is enqueued. What is left out is as its definition says, else as its queue is set. */
export interface EnqueueOptions {
  /** A transaction to be part of: the task exists when it commits, or never. See `pgtusk/adapters`. */
  readonly on?: Queryable | undefined
  /** Another queue than the task's own. */
  readonly queue?: string | undefined
  /** Not before this time. */
  readonly runAt?: Date | undefined
  /** Not before so long from now, by the database's clock. */
  readonly delay?: Duration | undefined
  /** Higher first. */
  readonly priority?: number | undefined
  /** At most one live task per queue and key. */
  readonly key?: string | undefined
  /** What happens if the key is taken: `keep` what is there, unless told otherwise. */
  readonly onDuplicate?: OnDuplicate | undefined
  /** How long `debounce` waits for quiet, and for how long `throttle` takes no other. */
  readonly window?: Duration | undefined
  /** Frees the key when the task starts instead of when it ends. */
  readonly freesKey?: boolean | undefined
  /** Groups whose limits it shares. */
  readonly groups?: readonly string[] | undefined
  /** It starts only while so many of its groups' tasks or fewer run. */
  readonly maxRunning?: number | undefined
  readonly tags?: readonly string[] | undefined
  readonly version?: number | undefined
  readonly maxAttempts?: number | undefined
  readonly backoff?: Backoff | undefined
  /** How long one attempt may run. */
  readonly timeout?: Duration | undefined
  /** Not after this time: what has not started by then fails as expired. */
  readonly deadline?: Date | undefined
  /** How long it is kept after its end. */
  readonly retention?: Duration | undefined
  /** The task this one came from. */
  readonly parent?: string | undefined
  /** What travels with the task beside its payload. */
  readonly meta?: Readonly<Record<string, Json>> | undefined
  /** Ids of tasks: it starts when they have ended. */
  readonly after?: readonly string[] | undefined
  /** What becomes of it if one of them does not succeed: it fails, unless told otherwise. */
  readonly afterFailure?: AfterFailure | undefined
}

/** A task that no definition here describes, such as one that another service runs. */
export interface RawTask extends EnqueueOptions {
  readonly queue: string
  readonly payload?: unknown
  /** Instead of `payload`: the same as a text in JSON, whose numbers keep digits that JavaScript would lose. */
  readonly payloadText?: string | undefined
  /** By default named like the queue. */
  readonly handler?: string | undefined
  readonly kind?: NewTask['kind'] | undefined
}

/** The names of everything that can be said of a task when it is enqueued. */
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

/** What a definition says about the tasks that are enqueued by its name. */
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
    // A function is asked by the worker, when an attempt has failed.
    backoff: typeof backoff === 'function' ? undefined : backoff,
    timeout,
    retention,
  }
}

type WithoutUndefined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> }

/** Leaves out what was given as undefined: it must not undo a default. */
export function withoutUndefined<T extends object>(given: T): WithoutUndefined<T> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as WithoutUndefined<T>
}
