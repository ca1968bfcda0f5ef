import { randomUUID } from 'node:crypto'
import type { HttpContext } from '../http-context.ts'

/** For how long it registers as waiting; longer than any request may wait. */
const sleepForMs = 65_000
/** The net under a ring that is lost, and under limits that open without one. */
const netMs = 2_000
/** Where nothing can be heard. */
const pollMs = 250

/** Hears when tasks of a queue become due, for any number of requests that wait for some. */
export class ReadyBell {
  readonly #context: HttpContext
  readonly #name = `http:${randomUUID()}`
  readonly #waiting = new Map<string, Set<() => void>>()
  #hears: boolean = false
  #isOpen: boolean = false

  constructor(context: HttpContext) {
    this.#context = context
  }

  /**
   * Looks again and again until `look` finds something, the time is over or the signal says stop.
   * Registers before looking, so that what becomes due meanwhile rings.
   */
  async until<T>(
    queue: string,
    ms: number,
    signal: AbortSignal,
    look: () => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const over = performance.now() + ms
    let found = await look()
    while (found.length === 0 && performance.now() < over && !signal.aborted) {
      const ring = this.#ring(queue)
      try {
        const dueInMs = await this.#sleep(queue)
        found = await look()
        if (found.length > 0) break
        await ring.or(
          Math.min(over - performance.now(), dueInMs, this.#hears ? netMs : pollMs),
          signal,
        )
      } finally {
        ring.drop()
      }
      if (!signal.aborted) found = await look()
    }
    return found
  }

  /** In how many milliseconds the next task becomes due by itself. */
  async #sleep(queue: string): Promise<number> {
    this.#open()
    const { verbs, writes } = this.#context
    const dueInMs = await verbs.sleep(writes, this.#name, [queue], sleepForMs)
    return dueInMs === null ? Number.POSITIVE_INFINITY : Math.max(dueInMs, 0) + 1
  }

  #open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    const { listener, tusk } = this.#context
    listener.hear(`${tusk.schema}:ready`, {
      onMessage: (queue) => this.#wake(queue),
      onListening: () => {
        this.#hears = true
        for (const queue of this.#waiting.keys()) this.#wake(queue)
      },
      onDeaf: () => {
        this.#hears = false
        for (const queue of this.#waiting.keys()) this.#wake(queue)
      },
    })
  }

  #wake(queue: string): void {
    for (const wake of this.#waiting.get(queue) ?? []) wake()
  }

  #ring(queue: string) {
    let wake = () => {}
    const rung = new Promise<void>((resolve) => {
      wake = resolve
    })
    const waiting = this.#waiting.get(queue) ?? new Set()
    this.#waiting.set(queue, waiting.add(wake))
    return {
      or: async (ms: number, signal: AbortSignal) => {
        const timer = setTimeout(wake, Math.max(ms, 0))
        signal.addEventListener('abort', wake, { once: true })
        await rung
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
      },
      drop: () => {
        waiting.delete(wake)
        if (waiting.size === 0 && this.#waiting.get(queue) === waiting) this.#waiting.delete(queue)
      },
    }
  }
}
