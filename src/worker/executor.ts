import { performance } from 'node:perf_hooks'
import { type ClaimedRow, toDate } from '../engine/claim-batch.ts'
import { Bell } from '../lib/bell.ts'
import { monotonicMs } from '../lib/monotonic.ts'
import type { Outcome } from '../runners/outcome.ts'
import { perform, performBatch, type Stage } from '../runners/perform.ts'
import { performSql } from '../runners/perform-sql.ts'
import type { Run } from '../runners/run.ts'
import type { SqlRunner } from '../sql/sql-runner.ts'
import type { Buffer } from './buffer.ts'
import { HeldTask, type Lease } from './held-task.ts'
import type { Holdings } from './holdings.ts'
import { Pace } from './pace.ts'
import type { Repertoire } from './repertoire.ts'

/** Waits no longer than this in the buffer, at the present pace: others could have run it meanwhile. */
const bufferedForSeconds = 0.25
const sliceMs = 10
/** Any login can send the message that a limit was lowered: more often than this it changes nothing. */
const heedAgainMs = 250
const mostLowered = 100

export interface ExecutorOptions {
  readonly concurrency: number
  readonly bufferSize: number
  readonly leaseMs: number
  readonly repertoire: Repertoire
  readonly holdings: Holdings
  readonly buffer: Buffer
  readonly stage: Omit<Stage, 'report'>
  /** Performs tasks of kind sql; undefined: none are claimed. */
  readonly sql: SqlRunner | undefined
  /** Outcomes go here; `pending` of them have not been accepted yet, and do not wait for another transaction. */
  readonly reporter: {
    readonly pending: number
    onSettled: (() => void) | undefined
    add(task: HeldTask, outcome: Outcome): void
  }
}

/**
 * Runs what was claimed: up to `concurrency` handlers at once, the rest waits in the buffer. Says how
 * many more tasks it could use, never more than it can hold.
 */
export class Executor {
  readonly #options: ExecutorOptions
  readonly #stage: Stage
  readonly #pace = new Pace()
  /** Rings when there is room again. */
  readonly roomMade = new Bell()
  /** When a queue (`@name`) or group was last heard to be above its limit, by the monotonic clock. */
  readonly #lowered = new Map<string, number>()
  #running = 0
  #reserved = 0
  #isOpen: boolean = true
  #onIdle: (() => void) | undefined

  constructor(options: ExecutorOptions) {
    this.#options = options
    this.#stage = { ...options.stage, report: (run, outcome) => this.#report(run, outcome) }
    options.reporter.onSettled = () => this.#tellRoom()
  }

  /** How many tasks to ask for now; nothing while the buffer is still half full. */
  get room(): number {
    const { concurrency, bufferSize, buffer, repertoire, reporter } = this.#options
    const slots = (concurrency - this.#running) * repertoire.largestBatch
    const most = bufferSize + concurrency * repertoire.largestBatch
    // A database that takes no results gets no more work out either.
    if (!this.#isOpen || reporter.pending > 2 * most) return 0
    const wanted = Math.min(bufferSize, Math.ceil(this.#pace.perSecond * bufferedForSeconds))
    const waiting = buffer.size + this.#reserved
    if (waiting >= slots && waiting > slots + wanted / 2) return 0
    return Math.max(slots + wanted - waiting, 0)
  }

  /** Keeps room free for what another claim may bring; the answer gives it back. */
  reserve(tasks: number): () => void {
    this.#reserved += tasks
    return () => {
      this.#reserved -= tasks
    }
  }

  /** Takes over what a claim brought, all under one lease, and starts what it can. */
  receive(rows: readonly ClaimedRow[], sentAtMs: number): void {
    const [first] = rows
    if (first === undefined) return
    const { leaseMs, holdings, repertoire, buffer, reporter } = this.#options
    const lease: Lease = {
      claim: first.claim,
      trustedUntilMs: holdings.trustedUntil(sentAtMs),
      claimedAt: new Date(toDate(first.lease_expires_at).getTime() - leaseMs),
      answeredMs: performance.now(),
    }
    const lowered = [...this.#lowered].flatMap(([name, heardMs]) =>
      sentAtMs < heardMs ? name : [],
    )
    for (const row of rows) {
      const task = new HeldTask(row, repertoire.taskFor(row), lease)
      holdings.add(task)
      const isAbove = lowered.some((name) => isLimitedBy(row, name))
      if (this.#isOpen && !isAbove) buffer.add(task)
      else reporter.add(this.#ended(task), { kind: 'released' })
    }
    this.#start()
  }

  /**
   * More of a queue (`@name`) or group is claimed than its limit now allows: what has not started goes
   * back, to be claimed again when there is room. So does what a claim brings that was sent before.
   */
  giveBack(limited: string): void {
    const nowMs = monotonicMs()
    if (nowMs - (this.#lowered.get(limited) ?? Number.NEGATIVE_INFINITY) < heedAgainMs) return
    if (this.#lowered.size >= mostLowered) this.#lowered.clear()
    this.#lowered.set(limited, nowMs)
    const { buffer, reporter } = this.#options
    for (const task of buffer.takeWhere(({ row }) => isLimitedBy(row, limited))) {
      reporter.add(this.#ended(task), { kind: 'released' })
    }
  }

  /** Starts nothing more; gives back what has not started. */
  close(): void {
    this.#isOpen = false
    const { buffer, reporter } = this.#options
    for (const task of buffer.takeAll()) reporter.add(this.#ended(task), { kind: 'released' })
  }

  /** Resolves when no handler runs any more. */
  async idle(): Promise<void> {
    if (this.#running === 0) return
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
  }

  #start(): void {
    const { concurrency, buffer } = this.#options
    const startedMs = performance.now()
    while (this.#isOpen && this.#running < concurrency) {
      const task = buffer.take()
      if (task === undefined) break
      this.#run(task)
      // Handlers that are done at once would keep everything else from its turn.
      if (performance.now() - startedMs > sliceMs) {
        setImmediate(() => this.#start())
        break
      }
    }
    this.#tellRoom()
  }

  #tellRoom(): void {
    if (this.room > 0) this.roomMade.ring()
  }

  #run(task: HeldTask): void {
    const { buffer, repertoire } = this.#options
    const { batch } = task.task
    const tasks =
      batch === undefined ? [task] : [task, ...buffer.takeAlike(task.task, batch.size - 1)]
    const now = performance.now()
    for (const each of tasks) {
      each.state = 'running'
      each.startedMs = now
      each.begin(repertoire.timeoutMs(each))
    }
    this.#running += 1
    const over = this.#perform(task, tasks)
    if (over === undefined) this.#running -= 1
    else void over.then(() => this.#freed())
  }

  #perform(task: HeldTask, tasks: readonly HeldTask[]): Promise<void> | undefined {
    const { sql } = this.#options
    if (task.row.kind === 'sql' && sql !== undefined) {
      return performSql(task, sql, this.#stage.report)
    }
    return task.task.batch === undefined
      ? perform(task.task, task, this.#stage)
      : performBatch(task.task, tasks, this.#stage)
  }

  #freed(): void {
    this.#running -= 1
    this.#start()
    if (this.#running === 0) this.#onIdle?.()
  }

  #report(run: Run, outcome: Outcome): void {
    this.#pace.note(1)
    this.#options.reporter.add(this.#ended(run as HeldTask), outcome)
  }

  #ended(task: HeldTask): HeldTask {
    task.state = 'reporting'
    return task
  }
}

/** Whether a task counts in this queue (`@name`) or group. */
function isLimitedBy({ queue, groups }: ClaimedRow, limited: string): boolean {
  return limited === `@${queue}` || (groups?.includes(limited) ?? false)
}
