import { performance } from 'node:perf_hooks'
import { isConnectionLost } from '../../db/connection-errors.ts'
import { Backoff } from '../../lib/backoff.ts'
import { Bell } from '../../lib/bell.ts'
import type { Logger } from '../../lib/logger.ts'
import { monotonicMs } from '../../lib/monotonic.ts'
import type { TaskNews } from '../events/task-news.ts'
import type { Executor } from '../run/executor.ts'
import type { Claimer } from './claimer.ts'
import type { IdleWait } from './idle-wait.ts'
import type { QueueOrder } from './queue-order.ts'

const mostPerClaim = 2_000
/** A large claim brings so many tasks less than it could, rather than cut a pack: that takes as long as to claim several. */
const spare = 31
const leastWithSpare = 250
const mostPerScan = 100
/** A queue found empty is not asked again within this time while others have tasks. */
const dryForMs = 10
/** With many queues for longer: a thousand empty ones take about 3 ms, which must stay a small part. */
const dryForMsPerQueue = 0.1

export interface ClaimLoopOptions {
  readonly claimer: Claimer
  readonly order: QueueOrder
  readonly executor: Executor
  readonly idleWait: IdleWait
  readonly log: Logger
  readonly news: TaskNews
  /** Whether everything that was claimed is reported. */
  readonly holdsNothing: () => boolean
}

/** What a look at the queues brought. */
interface Found {
  readonly tasks: number
  /** As many as were asked for: there may be more. */
  readonly isFull: boolean
  /** Nothing was left behind in any queue. */
  readonly isExhaustive: boolean
  /** When the next task becomes due by itself, as it was after the look; undefined if that was not asked. */
  readonly dueInMs?: number | null | undefined
}

/**
 * The loop that keeps a worker supplied: claims while there is room, waits for room when there is
 * none, and rests when there is nothing to claim (see IdleWait). Errors only make it pause.
 */
export class ClaimLoop {
  readonly #options: ClaimLoopOptions
  readonly #bell = new Bell()
  readonly #backoff = new Backoff()
  readonly #dryUntilMs = new Map<string, number>()
  #scanning: Promise<void> | undefined
  /** The last look brought all that it asked for: it is too early to think of sleep. */
  #isFlowing: boolean = false
  #isStopping: boolean = false
  /** Nothing is left to claim. */
  #isResting: boolean = false
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
    await this.#scanning
  }

  /** Tells listeners if there is nothing left to do. */
  tellIdle(): void {
    const { news, holdsNothing } = this.#options
    if (this.#isResting && holdsNothing()) news.idle()
  }

  async #run(): Promise<void> {
    const { idleWait, log } = this.#options
    while (!this.#isStopping) {
      try {
        await this.#round()
        this.#backoff.succeeded()
      } catch (error) {
        idleWait.isRegistered = false
        if (!isConnectionLost(error)) log.error({ err: error }, 'a claim failed; trying again')
        await this.#bell.wait(this.#backoff.failed())
      }
    }
  }

  async #round(): Promise<void> {
    const { executor, idleWait } = this.#options
    const { room } = executor
    if (room === 0) {
      await executor.roomMade.wait(1_000)
      return
    }
    if (this.#bell.hush()) idleWait.rung()
    const wasFlowing = this.#isFlowing
    const found = await this.#look(room)
    await idleWait.looked(found.tasks > 0, found.dueInMs)
    if (found.isFull) return
    if (found.tasks > 0 && idleWait.isAwake) {
      // A steady trickle: gathering for a moment makes one claim of many.
      await this.#bell.wait(idleWait.gatherMs)
      return
    }
    // Something may be left behind, or has come since.
    if (wasFlowing && !idleWait.isAwake) return
    if (found.tasks > 0 && (!found.isExhaustive || this.#bell.isRung)) return
    if (!this.#isStopping) await this.#rest()
  }

  async #rest(): Promise<void> {
    const { executor, idleWait } = this.#options
    if (await idleWait.begin()) {
      // What was enqueued before it was known that we rest did not ring.
      this.#dryUntilMs.clear()
      const late = await this.#look(executor.room)
      if (late.tasks > 0) return idleWait.found()
    }
    if (this.#isStopping) return
    this.#isResting = !idleWait.isAwake
    this.tellIdle()
    await idleWait.wait(this.#bell, this.#nextScanInMs())
    this.#isResting = false
  }

  /** One claim over all queues, in turn; a worker that is not busy looks at each from the start. */
  async #look(room: number): Promise<Found> {
    const { order, claimer, executor, idleWait, news } = this.#options
    const most = Math.min(room, mostPerClaim)
    const spareRoom = most >= leastWithSpare ? spare : 0
    const limit = most - spareRoom
    const isThorough = !idleWait.isAwake && !this.#isFlowing
    const queues = order.next().filter((queue) => isThorough || !this.#isDry(queue))
    if (limit <= 0 || queues.length === 0 || this.#isStopping) {
      this.#isFlowing = false
      return { tasks: 0, isFull: false, isExhaustive: false }
    }
    const sentAtMs = monotonicMs()
    let dueInMs: number | null | undefined
    const onDue = (ms: number | null) => {
      dueInMs = ms
    }
    const look = await claimer.look(queues, limit, isThorough, {
      spare: spareRoom,
      line: executor.lineRoom,
      onDue: isThorough && idleWait.wantsDue ? onDue : undefined,
    })
    const { rows, startable, emptied, isExhaustive } = look
    if (rows.length > 0) news.busy()
    executor.receive(rows, sentAtMs)
    this.#isFlowing = startable >= limit
    if (claimer.queues > 1) {
      const untilMs = performance.now() + Math.max(dryForMs, dryForMsPerQueue * claimer.queues)
      for (const queue of emptied) this.#dryUntilMs.set(queue, untilMs)
    }
    this.#scanBeside()
    return { tasks: startable, isFull: startable >= limit, isExhaustive, dueInMs }
  }

  #isDry(queue: string): boolean {
    return (this.#dryUntilMs.get(queue) ?? 0) > performance.now()
  }

  /** A scan that takes long runs beside the claims, one at a time, with room kept for what it finds. */
  #scanBeside(): void {
    const { claimer, executor, log, news } = this.#options
    const { nextScan } = claimer
    const limit = Math.min(executor.room, mostPerScan)
    if (nextScan === undefined || nextScan.dueMs > performance.now() || limit === 0) return
    if (this.#scanning !== undefined || this.#isStopping) return
    const giveBack = executor.reserve(limit)
    const sentAtMs = monotonicMs()
    const scan = claimer.scan(nextScan.queue, limit).then(
      (rows) => {
        giveBack()
        if (rows.length > 0) news.busy()
        executor.receive(rows, sentAtMs)
        if (rows.length > 0) this.#bell.ring()
      },
      (error: unknown) => {
        giveBack()
        if (!isConnectionLost(error)) log.error({ err: error }, 'a scan failed')
      },
    )
    this.#scanning = scan.finally(() => {
      this.#scanning = undefined
    })
  }

  #nextScanInMs(): number {
    const dueMs = this.#options.claimer.nextScan?.dueMs ?? Infinity
    return Math.max(dueMs - performance.now(), 1)
  }
}
