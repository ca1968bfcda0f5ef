import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { isGone } from '../db/gone.ts'
import { Backoff } from '../lib/backoff.ts'
import { Bell } from '../lib/bell.ts'
import { monotonicMs } from '../lib/monotonic.ts'
import type { Claimer } from './claimer.ts'
import type { Executor } from './executor.ts'
import type { Logger } from './log.ts'
import type { QueueOrder } from './queue-order.ts'
import type { Rest } from './rest.ts'

const mostPerClaim = 500
const mostPerSweep = 100
/** A queue found empty is not asked again within this time while others have tasks. */
const dryForMs = 10

export interface ClaimLoopOptions {
  readonly claimers: ReadonlyMap<string, Claimer>
  readonly order: QueueOrder
  readonly executor: Executor
  readonly rest: Rest
  readonly log: Logger
}

/**
 * The loop that keeps a worker supplied: claims while there is room, waits for room when there is
 * none, and rests when there is nothing to claim (see Rest). Errors only make it pause.
 */
export class ClaimLoop {
  readonly #options: ClaimLoopOptions
  readonly #bell = new Bell()
  readonly #backoff = new Backoff()
  readonly #dryUntilMs = new Map<string, number>()
  readonly #sweeping = new Map<string, Promise<void>>()
  #isStopping: boolean = false
  #running: Promise<void> | undefined

  constructor(options: ClaimLoopOptions) {
    this.#options = options
  }

  start(): void {
    this.#running = this.#run()
  }

  /** There may be something to claim. */
  ring(): void {
    this.#dryUntilMs.clear()
    this.#bell.ring()
  }

  /** Claims nothing more; resolves when nothing is on its way either. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#bell.ring()
    this.#options.executor.roomMade.ring()
    await this.#running
    await Promise.all(this.#sweeping.values())
  }

  async #run(): Promise<void> {
    const { rest, log } = this.#options
    while (!this.#isStopping) {
      try {
        await this.#round()
        this.#backoff.succeeded()
      } catch (error) {
        rest.isRegistered = false
        if (!isGone(error)) log.error({ err: error }, 'a claim failed; trying again')
        await this.#bell.wait(this.#backoff.failed())
      }
    }
  }

  async #round(): Promise<void> {
    const { executor, rest } = this.#options
    const { room } = executor
    if (room === 0) {
      await executor.roomMade.wait(1_000)
      return
    }
    this.#bell.hush()
    const found = await this.#refill(room)
    if (found > 0) {
      await rest.found()
      // A steady trickle: gathering for a moment makes one claim of many.
      if (rest.isAwake && found < room) await pause(rest.gatherMs)
      return
    }
    if (this.#isStopping) return
    if (await rest.begin()) {
      // What was enqueued before it was known that we rest did not ring.
      this.#dryUntilMs.clear()
      const late = await this.#refill(executor.room)
      if (late > 0) return rest.found()
    }
    if (!this.#isStopping) await rest.wait(this.#bell, this.#nextSweepInMs())
  }

  /** One claim per queue, in turn, until there is no room or nothing left; gives how many came. */
  async #refill(room: number): Promise<number> {
    const { order, claimers, executor } = this.#options
    let found = 0
    for (const queue of order.next()) {
      const limit = Math.min(room - found, mostPerClaim)
      if (limit <= 0 || this.#isStopping) break
      if ((this.#dryUntilMs.get(queue) ?? 0) > performance.now()) continue
      const claimer = claimers.get(queue)
      if (claimer === undefined) continue
      const sentAtMs = monotonicMs()
      const rows = await claimer.next(limit)
      executor.receive(rows, sentAtMs)
      found += rows.length
      if (rows.length < limit && claimers.size > 1) {
        this.#dryUntilMs.set(queue, performance.now() + dryForMs)
      }
      this.#sweepBeside(queue, claimer)
    }
    return found
  }

  /** A sweep that takes long runs beside the claims, one per queue, with room kept for what it finds. */
  #sweepBeside(queue: string, claimer: Claimer): void {
    const { executor, log } = this.#options
    const { sweepDueMs } = claimer
    const limit = Math.min(executor.room, mostPerSweep)
    if (sweepDueMs === undefined || sweepDueMs > performance.now() || limit === 0) return
    if (this.#sweeping.size > 0 || this.#isStopping) return
    const giveBack = executor.reserve(limit)
    const sentAtMs = monotonicMs()
    const sweep = claimer.sweep(limit).then(
      (rows) => {
        giveBack()
        executor.receive(rows, sentAtMs)
        if (rows.length > 0) this.#bell.ring()
      },
      (error: unknown) => {
        giveBack()
        if (!isGone(error)) log.error({ err: error }, 'a sweep failed')
      },
    )
    this.#sweeping.set(
      queue,
      sweep.finally(() => this.#sweeping.delete(queue)),
    )
  }

  #nextSweepInMs(): number {
    const due = [...this.#options.claimers.values()].map(({ sweepDueMs }) => sweepDueMs ?? Infinity)
    return Math.max(Math.min(...due) - performance.now(), 1)
  }
}
