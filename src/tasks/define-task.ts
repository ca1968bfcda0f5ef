import type { Backoff, Json } from '../engine/task.ts'
import type { Context } from './context.ts'
import type { StandardSchema } from './standard-schema.ts'
import type { Steered } from './steering.ts'

/** What a handler does with one task. It returns an output, or steers. */
export type Handler<Payload, Output> = (
  payload: Payload,
  context: Context,
) => Output | Steered | undefined | Promise<Output | Steered | undefined>

/** A task as a batch handler gets it. */
export interface BatchItem<Payload> {
  readonly payload: Payload
  readonly context: Context
}

/** What a batch handler does with many: one answer per task, in their order; an Error fails that task alone. */
export type BatchHandler<Payload, Output> = (
  batch: readonly BatchItem<Payload>[],
) => Promise<readonly (Output | Steered | Error | undefined)[]>

/**
 * Everything Tusk knows about one kind of work: its name, the shape of its payload, how it is
 * performed, and the options with which it is enqueued unless told otherwise.
 */
export interface TaskDefinition<Name extends string = string, Payload = Json, Output = Json> {
  readonly name: Name
  /** Where it waits; by default a queue named like the task. */
  readonly queue?: string
  /** Checked when it is enqueued, and again before it runs. */
  readonly schema?: StandardSchema<unknown, Payload>
  /** The shape of the payloads that are enqueued now; 1 unless told otherwise. */
  readonly version?: number
  /** Turns the payload of an older version into that of the next; one entry per version still taken. */
  readonly lift?: Readonly<Record<number, (payload: Json) => Json | Promise<Json>>>
  readonly priority?: number
  readonly maxAttempts?: number
  readonly backoff?: Backoff | ((attempt: number, error: unknown) => string)
  /** Counted from the start of the run. As Postgres reads durations, or in milliseconds. */
  readonly timeout?: string | number
  readonly retention?: string
  readonly run?: Handler<Payload, Output>
  readonly batch?: { readonly size: number; readonly run: BatchHandler<Payload, Output> }
}

/** Declares a task. The types of its payload and output travel with it to enqueue() and wait(). */
export function defineTask<const Name extends string, Payload = Json, Output = Json>(
  definition: TaskDefinition<Name, Payload, Output>,
): TaskDefinition<Name, Payload, Output> {
  return definition
}

/** The versions of a payload that a definition can run: its own, and all it can lift from. */
export function versionsTaken(definition: TaskDefinition<string, never, unknown>): {
  from: number
  to: number
} {
  const to = definition.version ?? 1
  let from = to
  while (definition.lift?.[from - 1] !== undefined) from -= 1
  return { from, to }
}
