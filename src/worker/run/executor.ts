import { performance } from 'node:perf_hooks'
import { type ClaimedRow, toDate } from '../../engine/claim-batch.ts'
import { Bell } from '../../lib/bell.ts'
import { monotonicMs } from '../../lib/monotonic.ts'
import { perform, performBatch, type Stage } from '../../runners/handler/perform.ts'
import type { Outcome } from '../../runners/outcome.ts'
import { type PushRunner, performPush } from '../../runners/push/perform-push.ts'
import type { Run } from '../../runners/run.ts'
import { performSql } from '../../runners/sql/perform-sql.ts'
import type { SqlRunner } from '../../runners/sql/sql-runner.ts'
import type { TaskNews } from '../events/task-news.ts'
import { HeldTask, type Lease } from '../leases/held-task.ts'
import type { HeldTasks } from '../leases/held-tasks.ts'
import type { Buffer } from './buffer.ts'
import { Lines } from './lines.ts'
import type { Repertoire } from './repertoire.ts'
import { Throughput } from './throughput.ts'

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
  readonly heldTasks: HeldTasks
  readonly buffer: Buffer
  readonly news: TaskNews
  readonly stage: Omit<Stage, 'report'>
  /** Performs tasks of kind sql; undefined: none are claimed. */
  readonly sql: SqlRunner | undefined
  /** Delivers every task to an endpoint; undefined: none are. */
  readonly push: PushRunner | undefined
  /** Outcomes go here; `pending` of them have not been accepted yet, and do not wait for another transaction. */
  readonly reporter: {
    readonly pending: number
    onAccepted: (() => void) | undefined
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
  readonly #throughput = new Throughput()
  /** What starts after others of its group. */
  readonly #lines = new Lines({
    patienceMs: bufferedForSeconds * 1_000,
    onStale: (tasks) => {
      this.#longestLine = Math.max(Math.floor(this.#longestLine / 4), 1)
      this.#release(tasks)
    },
  })
  /** How many tasks may wait in lines: fewer after some went back, more again while lines move. */
  #longestLine = 16
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
    options.reporter.onAccepted = () => this.#tellRoom()
    options.buffer.onPassedOver = (task) => this.#advance(task)
  }

  /** How many tasks to ask for now; nothing while the buffer is still half full. */
  get room(): number {
    const { concurrency, bufferSize, buffer, repertoire, reporter } = this.#options
    const slots = (concurrency - this.#running) * repertoire.largestBatch
    const most = bufferSize + concurrency * repertoire.largestBatch
    // A database that takes no results gets no more work out either.
    if (!this.#isOpen || reporter.pending > 2 * most) return 0
    const wanted = Math.min(bufferSize, Math.ceil(this.#throughput.perSecond * bufferedForSeconds))
    const waiting = buffer.size + this.#reserved
    if (waiting >= slots && waiting > slots + wanted / 2) return 0
    return Math.max(slots + wanted - waiting, 0)
  }

  /** How many tasks that start after others may come; nothing where tasks take long. */
  get lineRoom(): number {
    const { bufferSize } = this.#options
    const wanted = Math.floor(this.#throughput.perSecond * bufferedForSeconds)
    return Math.max(Math.min(bufferSize, wanted, this.#longestLine) - this.#lines.size, 0)
  }

  /** Keeps room free for what another claim may bring; the answer gives it back. */
  reserve(tasks: number): () => void {
    this.#reserved += tasks
    return () => {
      this.#reserved -= tasks
    }
  }

  /** Takes over what a look brought, the tasks of each claim under one lease, and starts what it can. */
  receive(rows: readonly ClaimedRow[], sentAtMs: number): void {
    if (rows.length === 0) return
    const { heldTasks, repertoire, buffer, reporter } = this.#options
    let lease: Lease | undefined
    const lowered = [...this.#lowered].flatMap(([name, heardMs]) =>
      sentAtMs < heardMs ? name : [],
    )
    for (const row of rows) {
      if (lease?.claim !== row.claim) lease = this.#leaseOf(row, sentAtMs)
      const task = new HeldTask(row, repertoire.taskFor(row), lease)
      heldTasks.add(task)
      const isAbove = lowered.some((name) => isLimitedBy(row, name))
      if (!this.#isOpen || isAbove) reporter.add(this.#ended(task), { kind: 'released' })
      else if (row.follows) this.#lines.add(task)
      else buffer.add(task)
    }
    this.#start()
  }

  #leaseOf({ claim, lease_expires_at }: ClaimedRow, sentAtMs: number): Lease {
    const { leaseMs, heldTasks } = this.#options
    return {
      claim,
      trustedUntilMs: heldTasks.trustedUntil(sentAtMs),
      claimedAt: new Date(toDate(lease_expires_at).getTime() - leaseMs),
      answeredMs: performance.now(),
    }
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
    const isAbove = ({ row }: HeldTask) => isLimitedBy(row, limited)
    this.#release([...this.#options.buffer.takeWhere(isAbove), ...this.#lines.takeWhere(isAbove)])
  }

  /** Starts nothing more; gives back what has not started. */
  close(): void {
    this.#isOpen = false
    this.#release([...this.#options.buffer.takeAll(), ...this.#lines.takeWhere(() => true)])
  }

  /** Gives back what has not started. */
  #release(tasks: readonly HeldTask[]): void {
    for (const task of tasks) this.#options.reporter.add(this.#ended(task), { kind: 'released' })
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
    let nowMs = startedMs
    while (this.#isOpen && this.#running < concurrency) {
      const task = buffer.take()
      if (task === undefined) break
      this.#run(task, nowMs)
      nowMs = performance.now()
      // Handlers that are done at once would keep everything else from its turn.
      if (nowMs - startedMs > sliceMs) {
        setImmediate(() => this.#start())
        break
      }
    }
    this.#tellRoom()
  }

  #tellRoom(): void {
    if (this.room > 0) this.roomMade.ring()
  }

  #run(task: HeldTask, nowMs: number): void {
    const { buffer, repertoire } = this.#options
    const { batch } = task.task
    const tasks =
      batch === undefined ? [task] : [task, ...buffer.takeAlike(task.task, batch.size - 1)]
    for (const each of tasks) {
      each.state = 'running'
      each.startedMs = nowMs
      each.begin(repertoire.timeoutMs(each))
    }
    this.#options.news.started(tasks)
    this.#running += 1
    const over = this.#perform(task, tasks)
    if (over === undefined) this.#running -= 1
    else void over.then(() => this.#freed())
  }

  #perform(task: HeldTask, tasks: readonly HeldTask[]): Promise<void> | undefined {
    const { sql, push } = this.#options
    if (push !== undefined) return performPush(task, push, this.#stage.report)
    if (task.row.kind === 'sql' && sql !== undefined) {
      return performSql(task, sql, this.#options.repertoire.timeoutMs(task), this.#stage.report)
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
    this.#throughput.note(1)
    const task = this.#ended(run as HeldTask)
    const { news, reporter } = this.#options
    if (outcome.kind !== 'done' || news.hearsCompleted) task.endedMs = performance.now()
    reporter.add(task, outcome)
    this.#advance(task)
  }

  /** A task has ended, or never starts: the next of its line may. */
  #advance(task: HeldTask): void {
    const next = this.#lines.next(task)
    if (next === undefined) return
    this.#longestLine = Math.min(this.#longestLine + 1, this.#options.bufferSize)
    this.#options.buffer.add(next)
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
