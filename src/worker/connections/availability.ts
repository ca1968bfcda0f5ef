import type { Logger } from '../../lib/logger.ts'
import { monotonicMs } from '../../lib/monotonic.ts'

/** Whether the database is there, as all connections of a worker see it: one line per change. */
export class Availability {
  readonly #log: Logger
  #goneSinceMs: number | undefined

  constructor(log: Logger) {
    this.#log = log
  }

  lost(error: unknown): void {
    if (this.#goneSinceMs !== undefined) return
    this.#goneSinceMs = monotonicMs()
    const reason = error instanceof Error ? error.message : String(error)
    this.#log.warn({ reason }, 'the database is gone; trying until it is back')
  }

  back(): void {
    if (this.#goneSinceMs === undefined) return
    const goneMs = Math.round(monotonicMs() - this.#goneSinceMs)
    this.#goneSinceMs = undefined
    this.#log.info({ goneMs }, 'the database is back')
  }
}
