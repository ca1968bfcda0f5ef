import { performance } from 'node:perf_hooks'
import type { Client } from 'pg'
import { Hints } from '../../src/worker/claim/hints.ts'
import type { Claimed, Subject } from '../subjects/subject.ts'

const cheapMs = 2
const sweepEveryMs = 100
/** A sweep that is not cheap may use less than a tenth of the time. */
const restPerSweep = 10

/**
 * Claims for one worker, as a worker should. With hints, a claim does not see tasks before
 * the hints: of a transaction that committed late, or a task that was requeued. So now and then it sweeps from the
 * start of the lane: in place of an ordinary claim while that is cheap, otherwise in parallel on another
 * connection, so that claims do not wait for a long scan over dead entries.
 */
export class Claimer {
  readonly #subject: Subject
  readonly #queue: string
  readonly #db: Client
  readonly #sweepDb: Client
  readonly #hints: Hints | undefined
  /** How much more a sweep costs than a claim with hints. */
  #sweepCostMs = 0
  #hintedMs = 0
  #nextSweepAt = 0
  #sweeping: Promise<void> | undefined
  #swept: Claimed[] = []
  #failure: unknown

  constructor(subject: Subject, queue: string, db: Client, sweepDb: Client, hints: boolean) {
    this.#subject = subject
    this.#queue = queue
    this.#db = db
    this.#sweepDb = sweepDb
    this.#hints = hints && subject.takesHints ? new Hints() : undefined
  }

  /** Claims up to `limit` tasks. An empty answer does not mean that the queue is empty. */
  async next(limit: number): Promise<Claimed[]> {
    if (this.#hints === undefined) return this.#subject.claim(this.#db, this.#queue, limit)
    if (this.#failure !== undefined) throw this.#failure
    if (this.#swept.length > 0) return this.#swept.splice(0, limit)
    if (performance.now() >= this.#nextSweepAt && this.#sweeping === undefined) {
      if (this.#sweepCostMs < cheapMs) return this.#sweep(this.#db, limit)
      this.#sweeping = this.#sweepBeside(limit)
    }
    const startedAt = performance.now()
    const tasks = await this.#subject.claim(this.#db, this.#queue, limit, this.#hints.all)
    if (tasks.length > 0) this.#hintedMs = performance.now() - startedAt
    else if (this.#sweepCostMs < cheapMs) return this.#sweep(this.#db, limit)
    this.#hints.learn(tasks)
    return tasks
  }

  /** Waits for a running sweep and returns the tasks that it has claimed, so that none is lost. */
  async close(): Promise<Claimed[]> {
    await this.#sweeping
    return this.#swept
  }

  async #sweepBeside(limit: number): Promise<void> {
    try {
      this.#swept.push(...(await this.#sweep(this.#sweepDb, limit)))
    } catch (error) {
      // No caller awaits this promise, so the next claim throws the error.
      this.#failure = error
    } finally {
      this.#sweeping = undefined
    }
  }

  async #sweep(db: Client, limit: number): Promise<Claimed[]> {
    const startedAt = performance.now()
    const tasks = await this.#subject.claim(db, this.#queue, limit)
    const elapsedMs = performance.now() - startedAt
    this.#sweepCostMs = elapsedMs - this.#hintedMs
    const restMs = this.#sweepCostMs < cheapMs ? 0 : elapsedMs * restPerSweep
    this.#nextSweepAt = performance.now() + Math.max(sweepEveryMs, restMs)
    this.#hints?.learn(tasks)
    return tasks
  }
}
