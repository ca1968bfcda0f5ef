import type { Backoff, Json } from '../engine/task.ts'
import type { Duration } from '../lib/duration.ts'
import { type KnownOptions, requireOptions } from '../lib/require-known.ts'
import type { Context } from './context.ts'
import type { StandardSchema } from './standard-schema.ts'
import type { Steered } from './steering.ts'

/** Runs one task. Returns its output, or a steering such as reschedule(). */
export type Handler<Payload, Output> = (
  payload: Payload,
  context: Context,
) => Output | Steered | undefined | Promise<Output | Steered | undefined>

/** One task of a batch, as a batch handler gets it. */
export interface BatchItem<Payload> {
  readonly payload: Payload
  readonly context: Context
}

/** Runs many tasks together. Returns one result per task, in the same order; an Error fails only that task. */
export type BatchHandler<Payload, Output> = (
  batch: readonly BatchItem<Payload>[],
) => Promise<readonly (Output | Steered | Error | undefined)[]>

/** The settings of a definition, apart from the types of its payload and output. */
interface TaskSettings {
  /** The queue of the task. Default: a queue with the name of the task. */
  readonly queue?: string
  /** The version of the payloads that are enqueued now. Default: 1. */
  readonly version?: number
  /** Upgrades the payload of an older version to the next one. One entry per old version that is still accepted. */
  readonly lift?: Readonly<Record<number, (payload: Json) => Json | Promise<Json>>>
  readonly priority?: number
  readonly maxAttempts?: number
  /** How long to wait after a failed attempt. If a function throws, the backoff of the queue applies. */
  readonly backoff?: Backoff | ((attempt: number, error: unknown) => Duration)
  /** The timeout of one attempt, counted from the start of the run. */
  readonly timeout?: Duration
  /** How long the task is kept after it has ended, whatever the result. */
  readonly retention?: Duration
}

/**
 * Everything Tusk knows about one kind of task: its name, the type of its payload, its handler, and the default options
 * with which it is enqueued.
 *
 * `Payload` is what the handler gets. `Input` is what you enqueue. A schema that fills in defaults or transforms makes
 * the two differ.
 */
export interface TaskDefinition<
  Name extends string = string,
  Payload = Json,
  Output = Json,
  Input = Payload,
> extends TaskSettings {
  readonly name: Name
  /**
   * Validated when the task is enqueued, and again before it runs. The stored payload is what was passed, unchanged.
   */
  readonly schema?: StandardSchema<Input, Payload>
  readonly run?: Handler<Payload, Output>
  readonly batch?: { readonly size: number; readonly run: BatchHandler<Payload, Output> }
}

/** Any definition, whatever its types. */
export interface AnyTask extends TaskSettings {
  readonly name: string
  readonly schema?: StandardSchema
  readonly run?: Handler<never, unknown>
  readonly batch?: { readonly size: number; readonly run: BatchHandler<never, unknown> }
}

/** The names of all options of a definition. */
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
 * Declares a task. enqueue() and wait() know the types of its payload and output.
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
 * @example With a schema, of any library that supports Standard Schema
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

/** The payload versions that a definition can run: its own, and all that it can upgrade. */
export function versionsTaken({ version, lift }: Pick<AnyTask, 'version' | 'lift'>): {
  from: number
  to: number
} {
  const to = version ?? 1
  let from = to
  while (lift?.[from - 1] !== undefined) from -= 1
  return { from, to }
}
