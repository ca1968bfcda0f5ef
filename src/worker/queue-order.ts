/** A queue to serve, and its share of the worker when several have tasks. */
export interface QueueShare {
  readonly queue: string
  readonly weight: number
}

/**
 * Whose turn it is. With weights, each round another queue goes first, as often as its weight says;
 * with a strict order, always the same one. Those that follow get what the ones before left over.
 */
export class QueueOrder {
  readonly #shares: readonly QueueShare[]
  readonly #isStrict: boolean
  readonly #credit = new Map<string, number>()

  constructor(shares: readonly QueueShare[], order: 'weighted' | 'strict') {
    this.#shares = shares
    this.#isStrict = order === 'strict'
  }

  rankOf(queue: string): number {
    return this.#isStrict ? this.#shares.findIndex((share) => share.queue === queue) : 0
  }

  /** The queues of the next round, first come first. */
  next(): string[] {
    const queues = this.#shares.map(({ queue }) => queue)
    if (this.#isStrict || queues.length < 2) return queues
    // Smooth weighted round robin: every queue earns its weight, the richest pays for going first.
    let total = 0
    for (const { queue, weight } of this.#shares) {
      this.#credit.set(queue, this.#creditOf(queue) + weight)
      total += weight
    }
    queues.sort((one, other) => this.#creditOf(other) - this.#creditOf(one))
    const [first] = queues
    if (first !== undefined) this.#credit.set(first, this.#creditOf(first) - total)
    return queues
  }

  #creditOf(queue: string): number {
    return this.#credit.get(queue) ?? 0
  }
}
