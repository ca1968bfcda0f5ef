import { performance } from 'node:perf_hooks'
import type { AskedQueue, ClaimedRow } from '../../engine/claim-batch.ts'
import { Hints } from './hints.ts'

const cheapMs = 2
/** Of many queues scanned at once each may add so much. */
const cheapMsPerQueue = 0.02
/** A scan that takes so much longer is not cheap, whatever the scan before took. */
const clearlyDearMs = 200
/** So many scans in a row that were not cheap: on a busy machine one or two are slow by chance. */
const dearInARow = 3
const scanEveryMs = 100
/** A scan that is not cheap may use less than a tenth of the time. */
const restPerScan = 10

/** What else a claim may bring. */
export interface More {
  /** So many tasks beyond the limit, rather than cut a pack; see BatchClaim. */
  readonly spare?: number
  /** So many tasks of full groups, which start after others. */
  readonly line?: number
  /** Called with the time until the next task becomes due by itself. */
  readonly onDue?: ((dueInMs: number | null) => void) | undefined
}

/** Claims on a connection: the ordinary one, or the one for scans that take long. */
export type Claim = (
  on: 'claim' | 'scan',
  limit: number,
  queues: readonly AskedQueue[],
  more: More,
) => Promise<ClaimedRow[]>

/** What one claim over many queues brought. */
export interface Look {
  readonly rows: readonly ClaimedRow[]
  /** How many of them can start now: the others follow those. */
  readonly startable: number
  /** The queues in which nothing more can start now. */
  readonly emptied: readonly string[]
  /** It was made without hints and found less than there was room for: nothing is left behind. */
  readonly isExhaustive: boolean
}

/** What is known of one queue. */
interface Memory {
  readonly hints: Hints
  /** How often in a row a scan was not cheap. */
  dearScans: number
  nextScanMs: number
}

/**
 * Claims from the queues of a worker, all of them with one statement. With hints it does not see what
 * lies before them: a commit that came late, a task that was put back. So now and then a queue is scanned
 * from the very start: in place of an ordinary claim while that is cheap, otherwise beside it, alone and
 * on a connection of its own, so that no claim waits for a long walk over dead entries.
 */
export class Claimer {
  readonly #claim: Claim
  readonly #memories: ReadonlyMap<string, Memory>
  /** Queues whose scans take long; true once a claim has passed over what only a scan can find. */
  readonly #dear = new Map<string, boolean>()
  /** How long a claim with hints takes. */
  #hintedMs = 0

  constructor(queues: readonly string[], claim: Claim) {
    this.#claim = claim
    this.#memories = new Map(
      queues.map((queue) => [queue, { hints: new Hints(), dearScans: 0, nextScanMs: 0 }]),
    )
  }

  /** How many queues there are. */
  get queues(): number {
    return this.#memories.size
  }

  /** When the next scan beside the claims may begin, by performance.now(), and of which queue. */
  get nextScan(): { readonly queue: string; readonly dueMs: number } | undefined {
    let next: { queue: string; dueMs: number } | undefined
    for (const [queue, isWanted] of this.#dear) {
      const dueMs = this.#memory(queue).nextScanMs
      if (isWanted && dueMs < (next?.dueMs ?? Infinity)) next = { queue, dueMs }
    }
    return next
  }

  /**
   * Up to so many tasks of these queues, in this order. A thorough look uses hints only where a scan takes
   * long: it is for a worker that wants to sleep when nothing is left.
   */
  async look(
    queues: readonly string[],
    limit: number,
    isThorough: boolean,
    more: More = {},
  ): Promise<Look> {
    const startedMs = performance.now()
    const scanned = new Set(
      queues.filter(
        (queue) =>
          !this.#dear.has(queue) && (isThorough || startedMs >= this.#memory(queue).nextScanMs),
      ),
    )
    const asked = queues.map((queue) => ({
      queue,
      hints: scanned.has(queue) ? [] : this.#memory(queue).hints.all,
    }))
    const rows = await this.#claim('claim', limit, asked, more)
    const elapsedMs = performance.now() - startedMs
    const started = rows.every(({ follows }) => !follows)
      ? rows
      : rows.filter(({ follows }) => !follows)
    const isFull = started.length >= limit
    const last = rows.at(-1)?.queue
    const reached = isFull ? queues.slice(0, queues.indexOf(last ?? '') + 1) : queues
    this.#learn(started)
    const scannedNow = reached.filter((queue) => scanned.has(queue))
    if (scannedNow.length > 0) this.#noteScan(scannedNow, elapsedMs, rows.length > 0)
    else if (rows.length > 0 || this.#hintedMs === 0) this.#hintedMs = elapsedMs
    for (const queue of reached) if (this.#dear.has(queue)) this.#dear.set(queue, true)
    return {
      rows,
      startable: started.length,
      emptied: isFull ? reached.slice(0, -1) : reached,
      isExhaustive: !isFull && scanned.size === queues.length,
    }
  }

  /** Looks at one queue from the very start, on the connection for that. */
  async scan(queue: string, limit: number): Promise<ClaimedRow[]> {
    this.#dear.set(queue, false)
    const startedMs = performance.now()
    const rows = await this.#claim('scan', limit, [{ queue, hints: [] }], {})
    this.#learn(rows)
    this.#noteScan([queue], performance.now() - startedMs, rows.length > 0)
    return rows
  }

  #memory(queue: string): Memory {
    const memory = this.#memories.get(queue)
    if (memory === undefined) throw new Error(`${queue} is not a queue of this worker`)
    return memory
  }

  #noteScan(queues: readonly string[], elapsedMs: number, hasFound: boolean): void {
    // The first claim of all has nothing to be compared with: what it found was worth its time.
    const isFirst = this.#hintedMs === 0 && hasFound
    const costMs = isFirst ? 0 : elapsedMs - this.#hintedMs
    const isCheap = costMs < cheapMs + cheapMsPerQueue * queues.length
    for (const queue of queues) {
      const memory = this.#memory(queue)
      memory.dearScans = isCheap ? 0 : memory.dearScans + 1
      const isDear = memory.dearScans >= (costMs > clearlyDearMs ? 1 : dearInARow)
      const restMs = Math.max(scanEveryMs, isDear ? elapsedMs * restPerScan : 0)
      memory.nextScanMs = performance.now() + restMs
      this.#mark(queue, isDear)
    }
  }

  #mark(queue: string, isDear: boolean): void {
    if (!isDear) this.#dear.delete(queue)
    else if (!this.#dear.has(queue)) this.#dear.set(queue, false)
  }

  /** The rows of a queue stand together. */
  #learn(rows: readonly ClaimedRow[]): void {
    for (let from = 0; from < rows.length; ) {
      const queue = rows[from]?.queue ?? ''
      let to = from + 1
      while (rows[to]?.queue === queue) to += 1
      this.#memory(queue).hints.learn(rows.slice(from, to))
      from = to
    }
  }
}
