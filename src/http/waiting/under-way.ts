import { setTimeout as pause } from 'node:timers/promises'
import { closed } from '../../client/waiting.ts'

/** Requests that are being answered: closing waits for them, but not for ever. */
export class UnderWay {
  readonly #answers = new Set<Promise<unknown>>()
  #isClosed: boolean = false

  /** Refuses what comes after close(). */
  async answer<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closed()
    const answer = work()
    this.#answers.add(answer)
    try {
      return await answer
    } finally {
      this.#answers.delete(answer)
    }
  }

  async close(withinMs: number): Promise<void> {
    this.#isClosed = true
    const over = new AbortController()
    await Promise.race([
      Promise.allSettled(this.#answers),
      pause(withinMs, undefined, { signal: over.signal }).catch(() => {}),
    ])
    over.abort()
  }
}
