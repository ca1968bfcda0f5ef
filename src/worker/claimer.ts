import { performance } from 'node:perf_hooks'
import type { ClaimedRow, Hint } from '../engine/claim-batch.ts'
import { Hints } from './hints.ts'

const cheapMs = 2
const sweepEveryMs = 100
/** A sweep that is not cheap may use less than a tenth of the time. */
const restPerSweep = 10

/** Claims on a connection: the ordinary one, or the one for sweeps that take long. */
export type Claim = (
  on: 'claim' | 'sweep',
  limit: number,
  hints: readonly Hint[],
) => Promise<ClaimedRow[]>

/**
 * Claims from one queue. With hints it does not see what lies before them: a commit that came late, a
 * task that was put back. So now and then it sweeps from the very start: in place of an ordinary
 * claim while that is cheap, otherwise beside it, on a connection of its own, so that nobody waits
 * for a long walk over dead entries.
 */
export class Claimer {
  readonly #claim: Claim
  readonly #hints = new Hints()
  /** What a sweep costs more than a claim with hints. */
  #sweepCostMs = 0
  #hintedMs = 0
  #nextSweepMs = 0
  /** A sweep beside the claims is wanted: the owner has room for it and starts it when it may. */
  #isSweepWanted: boolean = false

  constructor(claim: Claim) {
    this.#claim = claim
  }

  /** When the next sweep beside the claims may begin, by performance.now(); nothing while sweeps are cheap. */
  get sweepDueMs(): number | undefined {
    return this.#isSweepWanted ? this.#nextSweepMs : undefined
  }

  /** Up to so many tasks. None means that there are none, or that only a sweep could find them. */
  async next(limit: number): Promise<ClaimedRow[]> {
    if (this.#sweepCostMs < cheapMs && performance.now() >= this.#nextSweepMs) {
      return this.#sweep('claim', limit)
    }
    const startedAt = performance.now()
    const rows = await this.#claim('claim', limit, this.#hints.all)
    if (rows.length > 0) this.#hintedMs = performance.now() - startedAt
    else if (this.#sweepCostMs < cheapMs) return this.#sweep('claim', limit)
    this.#isSweepWanted = this.#sweepCostMs >= cheapMs
    this.#hints.learn(rows)
    return rows
  }

  /** Looks from the very start, on the connection for that. */
  sweep(limit: number): Promise<ClaimedRow[]> {
    this.#isSweepWanted = false
    return this.#sweep('sweep', limit)
  }

  async #sweep(on: 'claim' | 'sweep', limit: number): Promise<ClaimedRow[]> {
    const startedAt = performance.now()
    const rows = await this.#claim(on, limit, [])
    const elapsedMs = performance.now() - startedAt
    // The first claim of all has nothing to be compared with: what it found was worth its time.
    const isFirst = this.#hintedMs === 0 && rows.length > 0
    this.#sweepCostMs = isFirst ? 0 : elapsedMs - this.#hintedMs
    const isCheap = this.#sweepCostMs < cheapMs
    this.#nextSweepMs =
      performance.now() + Math.max(sweepEveryMs, isCheap ? 0 : elapsedMs * restPerSweep)
    this.#hints.learn(rows)
    return rows
  }
}
