import type { Queryable } from '../db/queryable.ts'
import type { Ended as FailRow, Held } from '../engine/outcomes.ts'
import type { Json, TaskKind } from '../engine/task.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type CamelCase, camelCase } from '../lib/casing.ts'
import { type Duration, toInterval } from '../lib/duration.ts'
import type { ClaimedTask } from '../tasks/claimed-task.ts'
import type { On } from './on.ts'

/** Which tasks to claim, and for how long. */
export interface ClaimOptions extends On {
  /** The most tasks to claim. Default: 1. */
  readonly limit?: number
  /** How long the lease lasts without extend(). Default: one minute. */
  readonly lease?: Duration
  /** Which kinds of tasks to claim. Default: documents. */
  readonly kinds?: readonly TaskKind[]
  /** The oldest and the newest payload version that you can handle. Default: any. */
  readonly versions?: readonly [from: number, to: number]
  /** A name for the claimer, shown to operators. */
  readonly worker?: string
}

/** The state of a task after a failed attempt: `queued` again at `runAt`, or `failed`. */
export interface FailOutcome extends CamelCase<FailRow> {}

/**
 * Runs tasks without a worker: you claim tasks under a lease and report the result of each. Available as `tusk.claims`.
 * Every report carries the `claim` that claim() returned. A report after the lease has expired rejects with
 * `lease_lost` and changes nothing.
 */
export class TuskClaims {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Claims due tasks of a queue, documents by default. No other caller gets them while the lease lasts.
   *
   * @example
   * ```ts
   * for (const order of await tusk.claims.claim('orders', { limit: 10, lease: '5 minutes' })) {
   *   await ship(order.payload)
   *   await tusk.claims.complete(order)
   * }
   * ```
   */
  async claim(
    queue: string,
    { on = this.#db, lease = '1 minute', kinds = ['document'], ...rest }: ClaimOptions = {},
  ): Promise<ClaimedTask[]> {
    const options = { ...rest, kinds, lease: toInterval('lease', lease) ?? '1 minute' }
    return (await this.#verbs.claim(on, queue, options)).map(camelCase)
  }

  /** Extends the leases on tasks, from now. Returns the claims that are still held. */
  extend(
    held: readonly Held[],
    lease: Duration = '1 minute',
    { on = this.#db }: On = {},
  ): Promise<string[]> {
    const claims = [...new Set(held.map(({ claim }) => claim))]
    return this.#verbs.extend(on, claims, toInterval('lease', lease))
  }

  /** Completes a task and stores its output. */
  complete(held: Held, output: Json = null, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.complete(on, held, output)
  }

  /**
   * Completes many tasks. Returns the ids of those that you still held. More than 1,000 are completed in rounds that
   * commit separately, unless you pass a transaction (`on`).
   */
  completeMany(
    held: readonly Held[],
    { on = this.#db, outputs }: On & { readonly outputs?: readonly Json[] } = {},
  ): Promise<string[]> {
    return this.#verbs.completeMany(on, held, outputs)
  }

  /** Fails an attempt. If attempts are left, the task is retried after its backoff, or after `delay`. */
  async fail(
    held: Held,
    error: Json = null,
    {
      on = this.#db,
      delay,
      retry = true,
    }: On & { readonly delay?: Duration; readonly retry?: boolean } = {},
  ): Promise<FailOutcome> {
    const wait = toInterval('delay', delay)
    const options = { retry, ...(wait === undefined ? {} : { delay: wait }) }
    return camelCase(await this.#verbs.fail(on, held, error, options))
  }

  /** Rejects a task that you cannot run now. Counts as a failed attempt with the reason `rejected`. */
  async reject(
    held: Held,
    error: Json = null,
    { on = this.#db, delay }: On & { readonly delay?: Duration } = {},
  ): Promise<FailOutcome> {
    return camelCase(await this.#verbs.reject(on, held, error, toInterval('delay', delay) ?? null))
  }

  /** Fails a task for good, even if attempts are left. */
  kill(held: Held, error: Json = null, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.kill(on, held, error)
  }

  /**
   * Ends this iteration and schedules the next one. Attempts start from 0 again. The payload stays, unless you pass
   * `payload`.
   */
  reschedule(
    held: Held,
    runAt: Date,
    { on = this.#db, payload }: On & { readonly payload?: Json } = {},
  ): Promise<void> {
    return this.#verbs.reschedule(on, held, runAt, payload)
  }

  /**
   * Releases tasks as if they had never been claimed, in rounds like completeMany(). Returns the ids of those that you
   * still held.
   */
  release(held: readonly Held[], { on = this.#db }: On = {}): Promise<string[]> {
    return this.#verbs.release(on, held)
  }
}
