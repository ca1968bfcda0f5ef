const firstMs = 50
const longestMs = 2_000

/** The pauses between attempts to reach a database: 50 ms, doubling to 2 s, with jitter. */
export class Backoff {
  #failures = 0

  succeeded(): void {
    this.#failures = 0
  }

  /** Returns how long to pause after one more failure. */
  failed(): number {
    const longest = Math.min(firstMs * 2 ** this.#failures, longestMs)
    this.#failures += 1
    return longest * (0.5 + Math.random() / 2)
  }
}
