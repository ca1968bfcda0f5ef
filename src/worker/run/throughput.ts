import { performance } from 'node:perf_hooks'

/** The shortest time that tells a rate. */
const shortestMs = 10

/** How many tasks the worker gets through per second, now: half of the past is forgotten every second. */
export class Throughput {
  #tasks = 0
  #sinceMs = performance.now()

  note(tasks: number): void {
    this.#tasks += tasks
  }

  get perSecond(): number {
    const elapsedMs = performance.now() - this.#sinceMs
    if (elapsedMs > 1_000) {
      const halves = 2 ** Math.min(Math.floor(elapsedMs / 1_000), 20)
      this.#tasks /= halves
      this.#sinceMs = performance.now() - elapsedMs / halves
      return (this.#tasks * 1_000) / Math.max(elapsedMs / halves, shortestMs)
    }
    return (this.#tasks * 1_000) / Math.max(elapsedMs, shortestMs)
  }
}
