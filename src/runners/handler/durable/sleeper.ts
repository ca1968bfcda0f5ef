import type { StepRow, Wait } from '../../../engine/durable.ts'

interface Waiting {
  readonly wait: Wait
  readonly resolve: (rows: readonly StepRow[]) => void
  readonly reject: (error: unknown) => void
}

export interface SleeperOptions {
  /** Stores what is not stored yet. */
  readonly flush: () => Promise<void>
  readonly suspend: (waits: readonly Wait[]) => Promise<readonly StepRow[]>
  /** Called when the task starts to wait. */
  readonly onAsleep: () => void
}

/**
 * Suspends a run when it does nothing but wait: no step is running, and the handler has had a turn to start others. All
 * open waits then go to the database together. The first that is over wakes the task.
 */
export class Sleeper {
  readonly #options: SleeperOptions
  #waitings: Waiting[] = []
  #working = 0
  #isScheduled: boolean = false
  #suspending: Promise<void> | undefined
  #isClosed: boolean = false

  constructor(options: SleeperOptions) {
    this.#options = options
  }

  /** Runs work during which the run must keep its claim. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#working += 1
    try {
      return await work()
    } finally {
      this.#working -= 1
      this.#schedule()
    }
  }

  /** Resolves with the steps that are over. Never resolves if the task is suspended. */
  waitFor(wait: Wait): Promise<readonly StepRow[]> {
    return new Promise((resolve, reject) => {
      this.#waitings.push({ wait, resolve, reject })
      this.#schedule()
    })
  }

  /** Call it when the handler has ended: waits that it did not await must not suspend the task. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#suspending
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waitings.length === 0) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      const isIdle = this.#working === 0 && this.#suspending === undefined && !this.#isClosed
      if (isIdle && this.#waitings.length > 0) {
        this.#suspending = this.#suspend().finally(() => {
          this.#suspending = undefined
          this.#schedule()
        })
      }
    })
  }

  async #suspend(): Promise<void> {
    const waitings = this.#waitings
    this.#waitings = []
    try {
      await this.#options.flush()
      const rows = await this.#options.suspend(waitings.map(({ wait }) => wait))
      if (rows.length === 0) {
        this.#isClosed = true
        this.#options.onAsleep()
        return
      }
      const names = new Set(rows.map(({ name }) => name))
      for (const waiting of waitings) {
        if (isOver(waiting.wait, names)) waiting.resolve(rows)
        else this.#waitings.push(waiting)
      }
    } catch (error) {
      for (const { reject } of waitings) reject(error)
    }
  }
}

function isOver(wait: Wait, names: ReadonlySet<string>): boolean {
  if (wait.kind === 'children') return wait.children.every((name) => names.has(name))
  return wait.kind !== 'retry' && names.has(wait.name)
}
