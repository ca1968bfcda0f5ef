import type { Ended, Held } from '../engine/settling.ts'
import type { ClaimedTask, Json, TaskKind } from '../engine/task.ts'
import { type Duration, duration } from '../tasks/enqueue-options.ts'
import { Administering } from './administering.ts'
import type { On } from './operations.ts'

export interface PullOptions extends On {
  /** How many to take at the most; one unless told otherwise. */
  readonly limit?: number
  /** How long they are held without extend(); a minute unless told otherwise. */
  readonly lease?: Duration
  /** What to take; documents unless told otherwise. */
  readonly kinds?: readonly TaskKind[]
  /** The oldest and the newest version of the payload that is understood; any, if left out. */
  readonly versions?: readonly [from: number, to: number]
  /** Who takes them, for people to see. */
  readonly worker?: string
}

/**
 * What those do who run tasks by themselves, without a worker: take them under a lease, and say what
 * became of each. Every word carries the token that claim() gave; one that comes too late is refused
 * with `lease_lost` and changes nothing.
 */
export class Pulling extends Administering {
  /**
   * Takes due tasks of a queue, documents unless told otherwise. Nobody else gets them while the lease
   * lasts.
   *
   * @example
   * ```ts
   * for (const order of await tusk.claim('orders', { limit: 10, lease: '5 minutes' })) {
   *   await ship(order.payload)
   *   await tusk.complete(order)
   * }
   * ```
   */
  claim(queue: string, options: PullOptions = {}): Promise<ClaimedTask[]> {
    const { on = this.db, lease = '1 minute', kinds = ['document'], ...rest } = options
    return this.verbs.claim(on, queue, { ...rest, kinds, lease: duration(lease) ?? '1 minute' })
  }

  /** Holds tasks longer, from now; answers with the claims that are still held. */
  extend(
    held: readonly Held[],
    lease: Duration = '1 minute',
    { on = this.db }: On = {},
  ): Promise<string[]> {
    const claims = [...new Set(held.map(({ claim }) => claim))]
    return this.verbs.extend(on, claims, duration(lease))
  }

  /** It is done, with what it gave. */
  complete(held: Held, output: Json = null, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.complete(on, held, output)
  }

  /**
   * Many are done; answers with those that still were the caller's. More than 1,000 are completed in rounds that
   * commit by themselves, unless you pass a transaction (`on`).
   */
  completeMany(
    held: readonly Held[],
    { on = this.db, outputs }: On & { readonly outputs?: readonly Json[] } = {},
  ): Promise<string[]> {
    return this.verbs.completeMany(on, held, outputs)
  }

  /** It went wrong: it is tried again after its backoff, or after a delay, while attempts are left. */
  fail(
    held: Held,
    error: Json = null,
    { on = this.db, delay, retry = true }: On & { delay?: Duration; retry?: boolean } = {},
  ): Promise<Ended> {
    const wait = duration(delay)
    return this.verbs.fail(on, held, error, {
      retry,
      ...(wait === undefined ? {} : { delay: wait }),
    })
  }

  /** It cannot be done now: charged as a failed attempt, with the reason `rejected`. */
  reject(
    held: Held,
    error: Json = null,
    { on = this.db, delay }: On & { delay?: Duration } = {},
  ): Promise<Ended> {
    return this.verbs.reject(on, held, error, duration(delay) ?? null)
  }

  /** It is given up for good, whatever attempts are left. */
  kill(held: Held, error: Json = null, { on = this.db }: On = {}): Promise<void> {
    return this.verbs.kill(on, held, error)
  }

  /** This round is done, and there will be another: its attempts begin anew, with the old payload or this one. */
  reschedule(
    held: Held,
    runAt: Date,
    { on = this.db, payload }: On & { payload?: Json } = {},
  ): Promise<void> {
    return this.verbs.reschedule(on, held, runAt, payload)
  }

  /** They are given back as if they had never been taken, in rounds like completeMany(); answers with those that were. */
  release(held: readonly Held[], { on = this.db }: On = {}): Promise<string[]> {
    return this.verbs.release(on, held)
  }
}
