import type { Claimed } from '../subjects/subject.ts'

/**
 * Counts the running tasks of each group, over all workers. A task counts from the answer of its claim
 * until its completion is sent, so two at once here were two at once in the database.
 */
export class Tally {
  readonly #running = new Map<string, number>()
  #mostAtOnce = 0
  #left: number

  constructor(tasks: number) {
    this.#left = tasks
  }

  get left(): number {
    return this.#left
  }

  get mostAtOnce(): number {
    return this.#mostAtOnce
  }

  begin(tasks: readonly Claimed[]): void {
    for (const name of tasks.flatMap(({ groups }) => groups ?? [])) {
      const running = (this.#running.get(name) ?? 0) + 1
      this.#running.set(name, running)
      this.#mostAtOnce = Math.max(this.#mostAtOnce, running)
    }
  }

  end(tasks: readonly Claimed[]): void {
    for (const name of tasks.flatMap(({ groups }) => groups ?? [])) {
      this.#running.set(name, (this.#running.get(name) ?? 0) - 1)
    }
  }

  settle(completed: number): void {
    this.#left -= completed
  }
}
