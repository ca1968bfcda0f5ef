import type { Backoff, Json } from '../engine/task.ts'
import type { Duration } from '../lib/duration.ts'
import { type KnownOptions, requireOptions } from '../lib/require-known.ts'
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

/** What a definition says besides the types of its payload and output. */
interface TaskSettings {
  /** Where it waits; by default a queue named like the task. */
  readonly queue?: string
  /** The shape of the payloads that are enqueued now; 1 unless told otherwise. */
  readonly version?: number
  /** Turns the payload of an older version into that of the next; one entry per version still taken. */
  readonly lift?: Readonly<Record<number, (payload: Json) => Json | Promise<Json>>>
  readonly priority?: number
  readonly maxAttempts?: number
  /** How long to wait after a failed attempt. A function that throws leaves it to the backoff of the queue. */
  readonly backoff?: Backoff | ((attempt: number, error: unknown) => Duration)
  /** Counted from the start of the run. */
  readonly timeout?: Duration
  /** How long it is kept after its end, however it ends. */
  readonly retention?: Duration
}

/**
 * Everything Tusk knows about one kind of work: its name, the shape of its payload, how it is
 * performed, and the options with which it is enqueued unless told otherwise.
 *
 * `Payload` is what the handler gets. `Input` is what is enqueued; a schema that fills in defaults
 * or transforms makes the two differ.
 */
export interface TaskDefinition<
  Name extends string = string,
  Payload = Json,
  Output = Json,
  Input = Payload,
> extends TaskSettings {
  readonly name: Name
  /** Checked when it is enqueued, and again before it runs. The task stores what was given, unchanged. */
  readonly schema?: StandardSchema<Input, Payload>
  readonly run?: Handler<Payload, Output>
  readonly batch?: { readonly size: number; readonly run: BatchHandler<Payload, Output> }
}

/** Any definition, whatever its types: what lists and maps of them hold. */
export interface AnyTask extends TaskSettings {
  readonly name: string
  readonly schema?: StandardSchema
  readonly run?: Handler<never, unknown>
  readonly batch?: { readonly size: number; readonly run: BatchHandler<never, unknown> }
}

/** The names of everything that a definition can say. */
export const taskOptions: KnownOptions<AnyTask> = {
  name: true,
  queue: true,
  version: true,
  lift: true,
  priority: true,
  maxAttempts: true,
  backoff: true,
  timeout: true,
  retention: true,
  schema: true,
  run: true,
  batch: true,
}

/**
 * Declares a task. The types of its payload and output travel with it to enqueue() and wait().
 *
 * @example
 * ```ts
 * const sendMail = defineTask({
 *   name: 'send_mail',
 *   maxAttempts: 3,
 *   run: async (payload: { to: string }) => ({ messageId: await deliver(payload.to) }),
 * })
 * ```
 *
 * @example With a schema, of any library that speaks Standard Schema
 * ```ts
 * const sendMail = defineTask({
 *   name: 'send_mail',
 *   schema: z.object({ to: z.email(), subject: z.string().default('Hello') }),
 *   run: async ({ to, subject }) => deliver(to, subject),
 * })
 * ```
 */
export function defineTask<
  const Name extends string,
  Payload = Json,
  Output = Json,
  Input = Payload,
>(
  definition: TaskDefinition<Name, Payload, Output, Input>,
): TaskDefinition<Name, Payload, Output, Input> {
  requireOptions('defineTask()', definition as AnyTask, taskOptions)
  return definition
}

/** The versions of a payload that a definition can run: its own, and all it can lift from. */
export function versionsTaken({ version, lift }: Pick<AnyTask, 'version' | 'lift'>): {
  from: number
  to: number
} {
  const to = version ?? 1
  let from = to
  while (lift?.[from - 1] !== undefined) from -= 1
  return { from, to }
}
