import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Bell } from '../../lib/bell.ts'

/** For how long the worker registers as resting. */
const sleepForMs = 300_000
/** A registration that is this close to its end counts as over: a statement takes time. */
const marginMs = 10_000
const firstPollMs = 1_000
const longestPollMs = 30_000
/** So many claims that found something within a second: busy enough to need no bell. */
const claimsOfABusySecond = 50
const awakeAfterLastFindMs = 250
/** So many rings in a row that led to no task: any login can ring, so from then on we look only now and then. */
const mostVainRings = 20
const afterVainRingsMs = 100

export interface IdleWaitOptions {
  /** Tells the database that we rest; answers in how many milliseconds the next task is due. */
  readonly sleep: (forMs: number) => Promise<number | null>
  /** The same answer, while it is known that we rest. */
  readonly nextDue: () => Promise<number | null>
  /** Tells it that we need not be rung. */
  readonly wake: () => Promise<void>
  /** Whether a ring would be heard. */
  readonly isListening: () => boolean
  /** How often to look when it would not. */
  readonly pollMs: number
}

/**
 * What a worker does while there is nothing to claim. It registers as resting, so that the session that makes
 * a task due rings; looks once more; then waits for the ring, for the next task to become due, or
 * for a poll that backs off from 1 s to 30 s. A ring that is lost costs the time until the poll.
 *
 * The registration stays while tasks come one at a time, so no ring is missed between them: a task that
 * was committed before a look is seen by it, and one that is committed later rings, because its producer
 * finds us registered. A look that left nothing behind is therefore not repeated. What it cannot see is
 * when the next task becomes due by itself. A producer of such a task rings too, so the time is asked
 * after a ring, after a find, and when the time known has passed; a mere poll need not ask.
 *
 * While tasks come all the time it takes its name off the list: then no producer pays for ringing, and it
 * looks every few milliseconds by itself.
 */
export class IdleWait {
  /** Gathering makes one claim of many while tasks trickle in. */
  readonly gatherMs = 3
  /** Our name is on the list of workers to ring. */
  isRegistered: boolean = false
  readonly #options: IdleWaitOptions
  /** The database rings us until then, or for a little longer. */
  #registeredUntilMs = 0
  #renewsAtMs = 0
  /** When the next task becomes due by itself, by performance.now(). */
  #dueAtMs = Infinity
  /** The time above may have changed since it was asked. */
  #isDueStale: boolean = true
  #isAwake: boolean = false
  #polls = 0
  #vainRings = 0
  #finds: number[] = []
  #lastFindMs = 0

  constructor(options: IdleWaitOptions) {
    this.#options = options
  }

  /** Busy enough to look without being rung. */
  get isAwake(): boolean {
    return this.#isAwake
  }

  /** We are rung, and when the next task becomes due by itself is not known. */
  get wantsDue(): boolean {
    return this.isRegistered && (this.#isDueStale || this.#dueAtMs <= performance.now())
  }

  /** A task was made due, now or later. */
  rung(): void {
    this.#isDueStale = true
  }

  /** What a look brought; `dueInMs` is undefined where it did not tell when the next task becomes due. */
  async looked(hasFound: boolean, dueInMs: number | null | undefined): Promise<void> {
    if (hasFound) await this.found()
    if (dueInMs !== undefined) this.#learnDue(dueInMs)
  }

  async found(): Promise<void> {
    const now = performance.now()
    this.#isDueStale = true
    this.#polls = 0
    this.#vainRings = 0
    this.#lastFindMs = now
    if (this.#isAwake) return
    this.#finds = [...this.#finds.filter((at) => at > now - 1_000), now]
    if (this.#finds.length < claimsOfABusySecond) return
    this.#isAwake = true
    if (this.isRegistered) {
      this.isRegistered = false
      await this.#options.wake()
    }
  }

  /** Registers; tells whether one more look is needed because we were not registered before. */
  async begin(): Promise<boolean> {
    const now = performance.now()
    if (this.#isAwake && now - this.#lastFindMs < awakeAfterLastFindMs) return false
    this.#isAwake = false
    this.#finds = []
    const wasRegistered = this.isRegistered && now < this.#registeredUntilMs
    if (!wasRegistered || now >= this.#renewsAtMs) {
      this.#learnDue(await this.#options.sleep(sleepForMs))
      this.isRegistered = true
      this.#registeredUntilMs = now + sleepForMs - marginMs
      this.#renewsAtMs = now + sleepForMs / 2
    } else if (this.wantsDue) {
      this.#learnDue(await this.#options.nextDue())
    }
    return !wasRegistered
  }

  async wait(bell: Bell, atMostMs: number): Promise<void> {
    if (this.#isAwake) {
      await bell.wait(this.gatherMs)
      return
    }
    const pollMs = this.#nextPollMs()
    const dueInMs = Math.max(this.#dueAtMs - performance.now(), 0) + 1
    const how = await bell.wait(Math.min(pollMs, dueInMs, atMostMs))
    if (how === 'over') {
      this.#vainRings = 0
      if (pollMs <= Math.min(dueInMs, atMostMs)) this.#polls += 1
      return
    }
    this.rung()
    this.#vainRings += 1
    if (this.#vainRings > mostVainRings) await pause(afterVainRingsMs)
  }

  #learnDue(dueInMs: number | null): void {
    this.#dueAtMs = dueInMs === null ? Infinity : performance.now() + Math.max(dueInMs, 0)
    this.#isDueStale = false
  }

  /** Jittered: workers that fell asleep together should not all look together. */
  #nextPollMs(): number {
    const jitter = 0.9 + Math.random() / 5
    if (!this.#options.isListening()) return this.#options.pollMs * jitter
    return Math.min(firstPollMs * 2 ** this.#polls, longestPollMs) * jitter
  }
}
