import type { Pack } from '../../engine/claim-batch.ts'
import type { Ended } from './reports.ts'

/** So long the first tasks of a pack that are done wait for the others. */
const longestWaitMs = 20

/** The tasks of one pack that are done and have not been passed on. */
interface Gathering {
  /** Each at its place in the pack. */
  readonly places: (Ended | undefined)[]
  count: number
  timer: NodeJS.Timeout
}

/**
 * Holds back the successes of a pack until all of its tasks have succeeded, and passes them on in the order
 * of their ids: so the engine ends the pack as one row. Not for long: what waits here would be repeated after a crash. A pack of which a task ends in
 * another way, or takes longer, is reported task by task.
 */
export class PackGate {
  readonly #pass: (ends: readonly Ended[]) => void
  readonly #gatherings = new Map<Pack, Gathering>()
  /** Packs that cannot be reported as one any more. */
  readonly #broken = new WeakSet<Pack>()
  #isOpen: boolean = false
  #size = 0

  constructor(pass: (ends: readonly Ended[]) => void) {
    this.#pass = pass
  }

  /** How many ends wait here. */
  get size(): number {
    return this.#size
  }

  add(end: Ended): void {
    const { pack, place = 0 } = end.task.row
    if (pack === undefined || this.#isOpen || this.#broken.has(pack)) {
      this.#pass([end])
      return
    }
    if (end.outcome.kind !== 'done') {
      this.#break(pack)
      this.#pass([end])
      return
    }
    const gathering = this.#gatherings.get(pack) ?? this.#begin(pack)
    gathering.places[place] = end
    gathering.count += 1
    this.#size += 1
    if (gathering.count === pack.size) this.#passOn(pack, gathering)
  }

  /** A task will not be reported: the others need not wait for it. */
  leave({ row: { pack } }: Ended['task']): void {
    if (pack !== undefined) this.#break(pack)
  }

  /** Passes on what waits, and holds nothing back from now on. */
  open(): void {
    this.#isOpen = true
    for (const [pack, gathering] of this.#gatherings) this.#passOn(pack, gathering)
  }

  /** A task of the pack leaves in another way; what is here need not wait for it. */
  #break(pack: Pack): void {
    this.#broken.add(pack)
    const gathering = this.#gatherings.get(pack)
    if (gathering !== undefined) this.#passOn(pack, gathering)
  }

  #begin(pack: Pack): Gathering {
    const timer = setTimeout(() => this.#break(pack), longestWaitMs)
    const places = new Array<Ended | undefined>(pack.size).fill(undefined)
    const gathering = { places, count: 0, timer }
    this.#gatherings.set(pack, gathering)
    return gathering
  }

  #passOn(pack: Pack, { places, count, timer }: Gathering): void {
    clearTimeout(timer)
    this.#gatherings.delete(pack)
    this.#size -= count
    this.#pass(places.filter((end) => end !== undefined))
  }
}
