/** Something that happened to a task. */
export interface LiveEvent {
  readonly event: string
  readonly task: string | null
  readonly queue: string
  readonly at: string
}

/** More changed tasks than a page could show are not remembered one by one. */
const mostTasks = 2_000
const mostRecent = 100

/** What happened within a moment, in a space that does not grow with how much it was. */
export class Changes {
  readonly queues = new Set<string>()
  readonly #tasks = new Set<string>()
  readonly #byEvent = new Map<string, number>()
  #recent: LiveEvent[] = []
  #isEverything: boolean = false
  #total = 0

  add(events: readonly LiveEvent[]): void {
    this.#total += events.length
    for (const { event, task, queue } of events) {
      this.queues.add(queue)
      this.#byEvent.set(event, (this.#byEvent.get(event) ?? 0) + 1)
      if (task === null) continue
      if (this.#tasks.size < mostTasks) this.#tasks.add(task)
      else this.#isEverything = true
    }
    this.#recent = [...this.#recent, ...events.slice(-mostRecent)].slice(-mostRecent)
  }

  /** Anything may have changed: after a long pause, or more than can be remembered. */
  addEverything(): void {
    this.#isEverything = true
  }

  get total(): number {
    return this.#total
  }

  /** The last of them, the oldest first. */
  get recent(): readonly LiveEvent[] {
    return this.#recent
  }

  /** How many events of that name. */
  count(event: string): number {
    return this.#byEvent.get(event) ?? 0
  }

  touchesTask(id: string): boolean {
    return this.#isEverything || this.#tasks.has(id)
  }

  touchesQueue(queue: string | null): boolean {
    return this.#isEverything || queue === null || queue === '' || this.queues.has(queue)
  }
}
