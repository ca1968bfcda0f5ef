import { TuskError } from '../../lib/errors.ts'
import { monotonicMs } from '../../lib/monotonic.ts'
import type { Chore } from '../chore.ts'
import type { Grant, Tenure } from './strategy.ts'

export interface HoldOptions {
  readonly chore: Chore
  readonly term: bigint
  readonly trustedUntilMs: number
  /** Trust ran out before the lease could be renewed. */
  readonly onDoubt: (hold: LeaseHold) => void
  readonly doubt: () => void
  readonly giveUp: (hold: LeaseHold) => void
}

/**
 * A lease as its holder sees it. The holder trusts it until a moment before it runs out, counted from
 * when the renewal was sent, on a clock that never jumps: a slow network makes it step down early,
 * never late.
 */
export class LeaseHold implements Grant {
  readonly chore: Chore
  readonly term: bigint
  readonly firstPauseMs = 0
  readonly sinceMs = monotonicMs()
  tenure: Tenure | undefined
  /** It is being given up; `isReleasing` while the database records it. */
  isEnding: boolean = false
  isReleasing: boolean = false
  readonly #options: HoldOptions
  readonly #controller = new AbortController()
  #trustedUntilMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: HoldOptions) {
    this.#options = options
    this.chore = options.chore
    this.term = options.term
    this.renewed(options.trustedUntilMs)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  trustedForMs(): number {
    return this.#trustedUntilMs - monotonicMs()
  }

  pauseMs(nextMs: number): number {
    return nextMs
  }

  doubt(): void {
    this.#options.doubt()
  }

  giveUp(): void {
    this.#options.giveUp(this)
  }

  renewed(trustedUntilMs: number): void {
    this.#trustedUntilMs = Math.max(this.#trustedUntilMs, trustedUntilMs)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#options.onDoubt(this), Math.max(this.trustedForMs(), 0))
  }

  /** From now on whatever runs must not write any more. */
  end(): void {
    clearTimeout(this.#timer)
    this.#controller.abort(
      new TuskError('leadership_lost', `${this.chore.name} is led in term ${this.term} no longer`),
    )
  }
}
