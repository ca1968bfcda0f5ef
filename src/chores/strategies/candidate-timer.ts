import type { Lead } from '../../engine/leading.ts'
import { monotonicMs } from '../../lib/monotonic.ts'

/** So many candidates look when a lease may be over; it takes only one of them to be alive. */
const vanguard = 4
/** The others take turns: all of them together look once in this time. */
const turnMs = 2_000

interface View {
  readonly place: number
  readonly lookAtMs: number
}

export interface CandidateTimerOptions {
  readonly ttlMs: number
  readonly renewMs: number
}

/**
 * When a worker that does not lead looks at the chores again. To keep the load the same however many
 * workers there are, only the first few candidates look at each expiry; the others now and then, and
 * at the expiry too if they happen to see a lease that was not renewed in time.
 */
export class CandidateTimer {
  readonly #options: CandidateTimerOptions
  readonly #views = new Map<string, View>()

  constructor(options: CandidateTimerOptions) {
    this.#options = options
  }

  get nextLookAtMs(): number {
    return Math.min(...[...this.#views.values()].map(({ lookAtMs }) => lookAtMs))
  }

  forget(chore: string): void {
    this.#views.delete(chore)
  }

  /** What the database answered about a chore that another leads, or that is not free for us yet. */
  learn(lead: Lead): void {
    const { chore, place } = lead
    this.#views.set(chore, { place, lookAtMs: monotonicMs() + this.#waitMs(lead) })
  }

  /** Look a moment later than now, whatever was planned. */
  look(chore: string, inMs: number): void {
    const place = this.#views.get(chore)?.place ?? 0
    this.#views.set(chore, { place, lookAtMs: monotonicMs() + inMs })
  }

  /** The chore was given up. The heir looks at once; a few others a moment later, if it did not. */
  released(chore: string, isHeir: boolean): void {
    const view = this.#views.get(chore)
    if (view === undefined) return
    if (isHeir) this.look(chore, 0)
    else if (view.place < vanguard) this.look(chore, 200 + Math.random() * 500)
  }

  #waitMs({ free_in_ms, place, candidates }: Lead): number {
    const { ttlMs, renewMs } = this.#options
    // Free, but another worker is taking it or has not finished with it.
    if (free_in_ms <= 0) return Math.min(ttlMs, 100 + Math.random() * 400)
    const isLate = free_in_ms < ttlMs - 2 * renewMs
    if (place < vanguard || isLate) {
      return free_in_ms + Math.random() * Math.min(1_000, ttlMs / 10)
    }
    return Math.max(ttlMs, candidates * turnMs) * (0.75 + Math.random() / 2)
  }
}
