/** Something that happened to a task. */
export interface LiveEvent {
  readonly event: string
  readonly task: string | null
  readonly queue: string
  readonly at: string
}

/** More changed tasks than a page could show are not remembered one by one. */
const mostTasks = 2_000

/** What happened within a moment, in a space that does not grow with how much it was. */
export class Changes {
  readonly queues = new Set<string>()
  readonly #tasks = new Set<string>()
  readonly #byEvent = new Map<string, number>()
  #isEverything: boolean = false
  #areMany: boolean = false
  #knownFrom = 0
  #total = 0

  add(events: readonly LiveEvent[]): void {
    this.#total += events.length
    for (const { event, task, queue } of events) {
      this.queues.add(queue)
      this.#byEvent.set(event, (this.#byEvent.get(event) ?? 0) + 1)
      if (task === null) continue
      if (this.#tasks.size < mostTasks) this.#tasks.add(task)
      else this.#areMany = true
    }
  }

  /** Anything may have changed, as after a long pause; until that time, if it is given. */
  addEverything(until = Number.POSITIVE_INFINITY): void {
    this.#isEverything = true
    this.#knownFrom = Math.max(this.#knownFrom, until)
  }

  /** Whether a page that loaded at that time has seen all of it. */
  isKnownAt(time: number): boolean {
    return this.#total === 0 && time >= this.#knownFrom
  }

  /** How many events of that name. */
  count(event: string): number {
    return this.#byEvent.get(event) ?? 0
  }

  touchesTask(id: string): boolean {
    return this.#isEverything || this.#areMany || this.#tasks.has(id)
  }

  touchesQueue(queue: string | null): boolean {
    return this.#isEverything || queue === null || queue === '' || this.queues.has(queue)
  }
}
