import type { AnyTask } from '../../tasks/define-task.ts'
import type { HeldTask } from '../leases/held-task.ts'

/** So many tasks that were taken may stay in a list. A buffer that never runs empty would keep all of them. */
const mostTaken = 1_000

/**
 * Tasks that were claimed and have not started (the paper's JOB_BUFFER). First in, first out; with a
 * strict order of queues, those of a queue further up go first. What was lost while it waited is
 * passed over.
 */
export class Buffer {
  readonly #rankOf: (queue: string) => number
  /** Called with a task that was lost while it waited. */
  onPassedOver: ((task: HeldTask) => void) | undefined
  readonly #lists: HeldTask[][] = []
  #heads: number[] = []

  constructor(rankOf: (queue: string) => number) {
    this.#rankOf = rankOf
  }

  get size(): number {
    let size = 0
    this.#lists.forEach((list, rank) => {
      size += list.length - (this.#heads[rank] ?? 0)
    })
    return size
  }

  add(task: HeldTask): void {
    const rank = this.#rankOf(task.row.queue)
    while (this.#lists.length <= rank) {
      this.#lists.push([])
      this.#heads.push(0)
    }
    this.#lists[rank]?.push(task)
  }

  /** The next task to start. */
  take(): HeldTask | undefined {
    for (let rank = 0; rank < this.#lists.length; rank++) {
      for (let task = this.#shift(rank); task !== undefined; task = this.#shift(rank)) {
        if (task.aborted === undefined) return task
        this.onPassedOver?.(task)
      }
    }
    return undefined
  }

  /** Up to so many more tasks of the same kind, for a handler that takes several at once. */
  takeAlike(kind: AnyTask, most: number): HeldTask[] {
    return this.takeWhere(({ task }) => task === kind, most)
  }

  /** Takes out tasks that have not started, whichever the caller wants. */
  takeWhere(
    isWanted: (task: HeldTask) => boolean,
    most: number = Number.POSITIVE_INFINITY,
  ): HeldTask[] {
    const taken: HeldTask[] = []
    this.#lists.forEach((list, rank) => {
      const waiting = list.slice(this.#heads[rank])
      const left = waiting.filter((task) => {
        const isTaken = taken.length < most && task.aborted === undefined && isWanted(task)
        if (isTaken) taken.push(task)
        return !isTaken
      })
      this.#lists[rank] = left
      this.#heads[rank] = 0
    })
    return taken
  }

  /** Empties it. */
  takeAll(): HeldTask[] {
    const all = this.#lists.flatMap((list, rank) => list.slice(this.#heads[rank]))
    this.#lists.length = 0
    this.#heads = []
    return all.filter((task) => task.aborted === undefined)
  }

  /** A moving head: taking from the front of a long array would move all the rest each time. */
  #shift(rank: number): HeldTask | undefined {
    const list = this.#lists[rank] ?? []
    const head = this.#heads[rank] ?? 0
    const task = list[head]
    if (task === undefined) {
      list.length = 0
      this.#heads[rank] = 0
      return undefined
    }
    this.#heads[rank] = head + 1
    if (head >= mostTaken && head > list.length / 2) {
      list.splice(0, head + 1)
      this.#heads[rank] = 0
    }
    return task
  }
}
