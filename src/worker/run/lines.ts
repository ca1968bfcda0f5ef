import type { HeldTask } from '../leases/held-task.ts'

/** The tasks of one claim that wait for their turn in one group. */
interface Line {
  readonly waiting: HeldTask[]
  timer: NodeJS.Timeout
}

export interface LinesOptions {
  /** A line that did not move for so long goes back: its group may have changed, or a task takes long. */
  readonly patienceMs: number
  readonly onStale: (tasks: readonly HeldTask[]) => void
}

/**
 * Tasks that were claimed together with one that takes the last slot of their group. Each starts when a task of
 * the same claim and group has ended, so the group never runs more than its limit.
 */
export class Lines {
  readonly #options: LinesOptions
  readonly #lines = new Map<string, Line>()
  #size = 0

  constructor(options: LinesOptions) {
    this.#options = options
  }

  /** How many tasks wait. */
  get size(): number {
    return this.#size
  }

  add(task: HeldTask): void {
    const key = keyOf(task)
    const line = this.#lines.get(key) ?? { waiting: [], timer: this.#watch(key) }
    this.#lines.set(key, line)
    line.waiting.push(task)
    this.#size += 1
  }

  /** The task that may start now that this one has ended. What was lost while it waited is passed over. */
  next(ended: HeldTask): HeldTask | undefined {
    if (this.#size === 0) return undefined
    const key = keyOf(ended)
    const line = this.#lines.get(key)
    if (line === undefined) return undefined
    clearTimeout(line.timer)
    let task = this.#shift(line)
    while (task?.aborted !== undefined) task = this.#shift(line)
    if (line.waiting.length === 0) this.#lines.delete(key)
    else line.timer = this.#watch(key)
    return task
  }

  /** Takes out tasks, whichever the caller wants. */
  takeWhere(isWanted: (task: HeldTask) => boolean): HeldTask[] {
    const taken: HeldTask[] = []
    for (const [key, line] of this.#lines) {
      const all = line.waiting.splice(0)
      for (const task of all) (isWanted(task) ? taken : line.waiting).push(task)
      if (line.waiting.length > 0) continue
      clearTimeout(line.timer)
      this.#lines.delete(key)
    }
    this.#size -= taken.length
    return taken.filter((task) => task.aborted === undefined)
  }

  #shift(line: Line): HeldTask | undefined {
    const task = line.waiting.shift()
    if (task !== undefined) this.#size -= 1
    return task
  }

  #watch(key: string): NodeJS.Timeout {
    const { patienceMs, onStale } = this.#options
    return setTimeout(() => onStale(this.takeWhere((task) => keyOf(task) === key)), patienceMs)
  }
}

function keyOf({ row: { claim, groups } }: HeldTask): string {
  return `${claim} ${groups?.join('\n') ?? ''}`
}
