const windowMs = 1_000
/** So often within a second the same words are passed on at once, unless told otherwise; more of them only now and then. */
const usuallyAtOnce = 20
const gatherMs = 100
/** More different words than this within a second are not passed on. */
const mostWords = 10_000

/**
 * Passes messages on, but the same words not too often: every login of the database may say anything
 * on a channel, as often as it likes. What is held back is said once, a moment later.
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
