import type { Json } from '../engine/task.ts'
import type { Duration } from '../lib/duration.ts'
import type { EnqueueOptions } from './enqueue-options.ts'

/** Options of a step. */
export interface StepOptions {
  /**
   * How many attempts it has. Between attempts the task waits without a slot; after the last one the step throws
   * StepFailed.
   */
  readonly maxAttempts?: number | undefined
  /** How long to wait after a failed attempt. Default: one second, then twice as long each time, up to an hour. */
  readonly backoff?: Duration | ((attempt: number, error: unknown) => Duration) | undefined
  /** The timeout of one attempt. `signal` aborts then. */
  readonly timeout?: Duration | undefined
  /** `lazy`: stored together with a later step. The step may run again if the process dies before that. */
  readonly checkpoint?: 'lazy' | undefined
  /** The name of this step in older code. A checkpoint with that name counts. */
  readonly was?: string | undefined
  /** Set it if you insert a step before steps that older runs have passed already: such runs take it now. */
  readonly isNew?: boolean | undefined
}

/** A kind of signal, with the type of its payload. Make it with {@link defineSignal}. */
export interface Signal<Payload = Json> {
  readonly name: string
  /** For the compiler only. */
  readonly payload?: Payload
}

/**
 * Declares a signal, so that the sender and the receiver agree on its payload.
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
  /** How long to wait. Default: for ever. */
  readonly timeout?: Duration | undefined
  /** The name of the step, for a task that receives the same signal more than once. */
  readonly as?: string | undefined
}

/** How to start a child: the options of enqueue(), and the name by which the parent knows it. */
export interface SpawnOptions
  extends Omit<EnqueueOptions, 'on' | 'delay' | 'parent' | 'after' | 'afterFailure'> {
  /** The name of the step. Default: the name of the task. */
  readonly as?: string | undefined
  /** The child goes on when its parent is cancelled. */
  readonly isDetached?: boolean | undefined
}

/** A started child. */
export interface Child<Output = Json> {
  readonly id: string
  /** The step that started it. */
  readonly name: string
  /** For the compiler only. */
  readonly output?: Output
}

/** Which children to wait for, and what happens if one of them fails. */
export interface JoinOptions {
  /** `all` of them, `any` one that succeeds, or the first that ends (`race`). */
  readonly mode?: 'all' | 'any' | 'race' | undefined
  /** The name of the step that stores which child won; for `any` and `race`. */
  readonly as?: string | undefined
}

/** How a child ended, for joins that collect all results. */
export type ChildEnd<Output = Json> =
  | { readonly state: 'done'; readonly output: Output }
  | { readonly state: 'failed'; readonly error: Json }

type OutputOfChild<C> = Awaited<C> extends Child<infer Output> ? Output : never

/** The outputs of children, in order. */
export type OutputsOf<C extends readonly unknown[]> = {
  -readonly [At in keyof C]: OutputOfChild<C[At]>
}

/** How children ended, in order. */
export type EndsOf<C extends readonly unknown[]> = {
  -readonly [At in keyof C]: ChildEnd<OutputOfChild<C[At]>>
}

/** A step has failed in all its attempts, or a child failed. Thrown again in every later run. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
  readonly code = 'step_failed'
  readonly step: string
  /** The stored error: name, message, code, stack. */
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
