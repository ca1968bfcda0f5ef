import { setTimeout as pause } from 'node:timers/promises'
import type { TaskEvent } from '../../engine/following.ts'
import type { HttpContext } from '../http-context.ts'

/** Gets events as they come, and hears of a gap before `from`. */
export interface Audience {
  tell(events: readonly TaskEvent[]): void
  tellGap(from: bigint): void
}

const pollMs = 250
const renewMs = 15_000
const afterErrorMs = 1_000
const mostAtOnce = 2_000

/**
 * Reads events once for all clients that listen. While none listens, nothing is read, and
 * after a minute nothing is recorded any more.
 */
export class EventFeed {
  readonly #context: HttpContext
  readonly #audience = new Set<Audience>()
  #listeners = 0
  #at: bigint | undefined
  #renewAtMs = 0
  #isRunning: boolean = false

  constructor(context: HttpContext) {
    this.#context = context
  }

  /** Up to here events were sent; undefined before the first look. */
  get at(): bigint | undefined {
    return this.#at
  }

  /** Whether nothing is read, because no client listens. */
  get isIdle(): boolean {
    return !this.#isRunning
  }

  /** Adds a client. Events are read until the returned function is called. */
  listen(): () => void {
    this.#listeners += 1
    if (!this.#isRunning) void this.#run()
    let isGone = false
    return () => {
      if (!isGone) this.#listeners -= 1
      isGone = true
    }
  }

  /** From now on the client gets what comes. */
  add(audience: Audience): void {
    this.#audience.add(audience)
  }

  remove(audience: Audience): void {
    this.#audience.delete(audience)
  }

  get #isWanted(): boolean {
    return this.#listeners > 0 && !this.#context.closing.aborted
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    this.#at = undefined
    this.#renewAtMs = 0
    while (this.#isWanted) {
      const restMs = await this.#round().catch((err: unknown) => {
        this.#renewAtMs = 0
        if (!this.#context.closing.aborted)
          this.#context.logger.warn({ err }, 'cannot read events; trying again')
        return afterErrorMs
      })
      if (restMs > 0) await pause(restMs, undefined, { ref: false })
    }
    this.#isRunning = false
    // A client may have come while the last one left.
    if (this.#isWanted) void this.#run()
  }

  /** Reads what there is; answers how long to rest. */
  async #round(): Promise<number> {
    const { verbs, reads } = this.#context
    if (performance.now() >= this.#renewAtMs) await this.#renew()
    const events = await verbs.events(reads, { after: String(this.#at), limit: mostAtOnce })
    const last = events.at(-1)
    if (last !== undefined) {
      this.#at = BigInt(last.id)
      for (const audience of [...this.#audience]) audience.tell(events)
    }
    return events.length === mostAtOnce ? 0 : pollMs
  }

  /** Has events recorded for another minute, and looks whether they were without a pause. */
  async #renew(): Promise<void> {
    const { verbs, writes } = this.#context
    const { after, since } = await verbs.follow(writes, '1 minute')
    this.#renewAtMs = performance.now() + renewMs
    const from = BigInt(since)
    if (this.#at === undefined) {
      this.#at = BigInt(after)
    } else if (this.#at < from) {
      this.#at = from
      for (const audience of [...this.#audience]) audience.tellGap(from)
    }
  }
}
