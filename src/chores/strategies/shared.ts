import type { Chore } from '../chore.ts'
import type { ChoreMessage, Grant, Strategy, StrategyOptions, Tenure } from './strategy.ts'

/** How long a worker waits between runs, beyond what the chore asks for. */
export type Pacing = (chore: Chore) => Pick<Grant, 'pauseMs'>

/** Every worker does the chore, each in a phase of its own; the database decides who gets what. */
export class SharedStrategy implements Strategy {
  readonly #options: StrategyOptions
  readonly #pacing: Pacing
  readonly #controller = new AbortController()
  readonly #tenures: Tenure[] = []

  constructor(options: StrategyOptions, pacing: Pacing) {
    this.#options = options
    this.#pacing = pacing
  }

  start(): void {
    for (const chore of this.#options.chores) {
      const { everyMs, firstWithinMs = everyMs } = chore
      this.#begin(chore, Math.random() * Math.min(everyMs, firstWithinMs))
    }
  }

  async stop(withinMs: number): Promise<void> {
    await Promise.all(this.#tenures.map((tenure) => tenure.finish(withinMs)))
    this.#controller.abort()
  }

  hear(_message: ChoreMessage): void {}

  lookAgain(): void {}

  #begin(chore: Chore, firstPauseMs: number): void {
    const grant: Grant = {
      term: null,
      signal: this.#controller.signal,
      firstPauseMs,
      ...this.#pacing(chore),
      trustedForMs: () => Number.MAX_SAFE_INTEGER,
      doubt: () => {},
      giveUp: () => this.#beginAgain(chore),
    }
    this.#tenures.push(this.#options.take(chore, grant))
  }

  /** After a run that did not end: not before it has. */
  #beginAgain(chore: Chore): void {
    const timer = setInterval(() => {
      if (this.#controller.signal.aborted) clearInterval(timer)
      else if (!this.#options.isStuck(chore.name)) {
        clearInterval(timer)
        this.#begin(chore, chore.everyMs)
      }
    }, chore.everyMs).unref()
  }
}
