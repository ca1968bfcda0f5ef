import { performance } from 'node:perf_hooks'
import { type ClaimedRow, type Hint, toDate } from '../../engine/claim-batch.ts'

/** All that a hint is learned from. */
type Place = Pick<ClaimedRow, 'priority' | 'run_at'>

const lookBackRows = 2_000
const longestLookBackMs = 5_000

/**
 * What a worker remembers of a queue: per lane, how far it has come. It begins a little before that,
 * because transactions commit out of order: as far back as 2,000 tasks take at the present rate, at
 * most 5 s.
 */
export class Hints {
  readonly #reached = new Map<number, number>()
  #tasks = 0
  #since = performance.now()

  get all(): Hint[] {
    const lookBackMs = this.#lookBackMs()
    return [...this.#reached].map(([priority, reachedMs]) => ({
      priority,
      from: new Date(reachedMs - lookBackMs),
    }))
  }

  learn(rows: readonly Place[]): void {
    this.#tasks += rows.length
    // In order of lanes: the last of each is where one task's priority differs from the next's.
    rows.forEach((row, index) => {
      if (rows[index + 1]?.priority !== row.priority) this.#reach(row)
    })
  }

  #reach({ priority, run_at }: Place): void {
    const before = this.#reached.get(priority) ?? Number.NEGATIVE_INFINITY
    this.#reached.set(priority, Math.max(before, toDate(run_at).getTime()))
  }

  #lookBackMs(): number {
    const elapsedMs = performance.now() - this.#since
    const lookBackMs = Math.min(
      (lookBackRows * elapsedMs) / Math.max(this.#tasks, 1),
      longestLookBackMs,
    )
    if (elapsedMs > 1_000) {
      // Half of the past is forgotten every second, so the rate is the present one.
      this.#tasks /= 2
      this.#since += elapsedMs / 2
    }
    return lookBackMs
  }
}
