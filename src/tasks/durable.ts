import type { Json } from '../engine/task.ts'
import type { Duration } from '../lib/duration.ts'
import type { EnqueueOptions } from './enqueue-options.ts'

/** How a step is taken. */
export interface StepOptions {
  /** How often it is tried. Between attempts the task waits without a slot; after the last the step throws StepFailed. */
  readonly maxAttempts?: number | undefined
  /** How long to wait after a failed attempt. By default a second, then twice as long each time, up to an hour. */
  readonly backoff?: Duration | ((attempt: number, error: unknown) => Duration) | undefined
  /** How long one attempt may take, in milliseconds. `signal` aborts then. */
  readonly timeout?: number | undefined
  /** `lazy`: stored together with a later one. The step may run again if the process dies before that. */
  readonly checkpoint?: 'lazy' | undefined
  /** The name this step had in older code: a checkpoint under that name counts. */
  readonly was?: string | undefined
  /** It was put before steps that older runs have taken already: such runs take it now. */
  readonly isNew?: boolean | undefined
}

/** A kind of signal, with the type of its payload. Make it with {@link defineSignal}. */
export interface Signal<Payload = Json> {
  readonly name: string
  /** Only for the compiler. */
  readonly payload?: Payload
}

/**
 * Declares a signal, so that who sends it and who receives it agree on its payload.
 *
 * @example
 * ```ts
 * const paid = defineSignal<{ by: string }>('paid')
 * ```
 */
export function defineSignal<Payload = Json>(name: string): Signal<Payload> {
  return { name }
}

/** How long to wait for a signal, and the name of the step that stores it. */
export interface ReceiveOptions {
  /** How long to wait; without, for as long as it takes. */
  readonly timeout?: Duration | undefined
  /** The name of the step, for a task that receives the same signal more than once. */
  readonly as?: string | undefined
}

/** How a child is started: as a task is enqueued, and by which name the parent knows it. */
export interface SpawnOptions
  extends Omit<EnqueueOptions, 'on' | 'delay' | 'parent' | 'after' | 'afterFailure'> {
  /** The name of the step; by default that of the task. */
  readonly as?: string | undefined
  /** It lives on when its parent is cancelled. */
  readonly isDetached?: boolean | undefined
}

/** A child that was started. */
export interface Child<Output = Json> {
  readonly id: string
  /** The step that started it. */
  readonly name: string
  /** Only for the compiler. */
  readonly output?: Output
}

/** Which children to wait for, and what happens when one of them fails. */
export interface JoinOptions {
  /** `all` of them, `any` one that succeeds, or the first that ends (`race`). */
  readonly mode?: 'all' | 'any' | 'race' | undefined
  /** The name of the step that remembers which child won; for `any` and `race`. */
  readonly as?: string | undefined
}

/** How a child ended, for joins that collect. */
export type ChildEnd<Output = Json> =
  | { readonly state: 'done'; readonly output: Output }
  | { readonly state: 'failed'; readonly error: Json }

type OutputOfChild<C> = Awaited<C> extends Child<infer Output> ? Output : never

/** The outputs of children, in their order. */
export type OutputsOf<C extends readonly unknown[]> = {
  -readonly [At in keyof C]: OutputOfChild<C[At]>
}

/** How children ended, in their order. */
export type EndsOf<C extends readonly unknown[]> = {
  -readonly [At in keyof C]: ChildEnd<OutputOfChild<C[At]>>
}

/** A step has failed as often as it may, or a child did not succeed. Thrown again in every later run. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
  readonly code = 'step_failed'
  readonly step: string
  /** What was thrown, as it is kept: name, message, code, stack. */
  readonly error: Json

  constructor(step: string, error: Json) {
    super(`${step} failed: ${messageOf(error)}`)
    this.step = step
    this.error = error
  }
}

function messageOf(error: Json): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { message, error: inner, state } = error as Readonly<Record<string, Json | undefined>>
  if (typeof message === 'string') return message
  if (inner !== undefined && inner !== null) return messageOf(inner)
  return typeof state === 'string' ? `its task is ${state}` : JSON.stringify(error)
}
