const windowMs = 1_000
/** The most identical messages per second that are passed on at once, by default. */
const usuallyAtOnce = 20
const gatherMs = 100
/** The most different messages per second that are passed on. */
const mostWords = 10_000

/**
 * Passes messages on, but limits identical ones: every login of the database can send anything on a channel, as often
 * as it likes. Held-back messages are passed on once, a moment later.
 */
export class MessageLimiter {
  readonly #pass: (words: string) => void
  readonly #mostAtOnce: number
  readonly #counts = new Map<string, number>()
  readonly #held = new Set<string>()
  #window: NodeJS.Timeout | undefined
  #gathering: NodeJS.Timeout | undefined

  constructor(pass: (words: string) => void, mostAtOnce: number = usuallyAtOnce) {
    this.#pass = pass
    this.#mostAtOnce = mostAtOnce
  }

  hear(words: string): void {
    this.#window ??= setTimeout(() => this.#forget(), windowMs).unref()
    const count = this.#counts.get(words) ?? 0
    if (count === 0 && this.#counts.size >= mostWords) return
    this.#counts.set(words, count + 1)
    if (count < this.#mostAtOnce) {
      this.#pass(words)
      return
    }
    this.#held.add(words)
    this.#gathering ??= setTimeout(() => this.#release(), gatherMs).unref()
  }

  close(): void {
    clearTimeout(this.#window)
    clearTimeout(this.#gathering)
    this.#held.clear()
  }

  #forget(): void {
    this.#window = undefined
    this.#counts.clear()
  }

  #release(): void {
    this.#gathering = undefined
    const held = [...this.#held]
    this.#held.clear()
    for (const words of held) this.#pass(words)
  }
}
