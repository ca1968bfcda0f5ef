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
  readonly #isStrict: boolean
  readonly #ranks: ReadonlyMap<string, number>
  readonly #total: number
  /** Kept in order from round to round: sorting what is nearly sorted costs little, also for a thousand. */
  readonly #turns: (QueueShare & { credit: number })[]

  constructor(shares: readonly QueueShare[], order: 'weighted' | 'strict') {
    this.#isStrict = order === 'strict'
    this.#ranks = new Map(shares.map(({ queue }, rank) => [queue, rank]))
    this.#total = shares.reduce((sum, { weight }) => sum + weight, 0)
    this.#turns = shares.map((share) => ({ ...share, credit: 0 }))
  }

  rankOf(queue: string): number {
    return this.#isStrict ? (this.#ranks.get(queue) ?? -1) : 0
  }

  /** The queues of the next round, first come first. */
  next(): string[] {
    const turns = this.#turns
    if (!this.#isStrict && turns.length > 1) {
      // Smooth weighted round robin: every queue earns its weight, the richest pays for going first.
      for (const turn of turns) turn.credit += turn.weight
      turns.sort((one, other) => other.credit - one.credit)
    }
    const queues = turns.map(({ queue }) => queue)
    const [first] = turns
    if (!this.#isStrict && first !== undefined) first.credit -= this.#total
    return queues
  }
}
