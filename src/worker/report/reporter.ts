import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { isConnectionLost } from '../../db/connection-errors.ts'
import type { Reported } from '../../engine/reporting.ts'
import { Backoff } from '../../lib/backoff.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Outcome } from '../../runners/outcome.ts'
import type { TaskNews } from '../events/task-news.ts'
import type { HeldTask } from '../leases/held-task.ts'
import type { HeldTasks } from '../leases/held-tasks.ts'
import { HeldReports } from './held-reports.ts'
import type { LogBook } from './log-book.ts'
import { PackGate } from './pack-gate.ts'
import {
  classifyReportError,
  type Ended,
  groupByKind,
  isLockTimeout,
  type Report,
  type ReportedOutcome,
} from './reports.ts'

/** With one statement; a few more, rather than cut a pack. */
const mostAtOnce = 2_000
/** Characters of the outputs of one statement, beyond the last of which no other is added. */
const mostCharacters = 32_000_000

export interface ReporterOptions {
  readonly heldTasks: HeldTasks
  readonly log: Logger
  readonly logBook: LogBook
  readonly news: TaskNews
  /**
   * Says one kind of outcome of many tasks; tells which ids were accepted. Fails soon if a row is held by
   * another transaction, and those `aside` sooner still.
   */
  readonly say: (report: Report, on: Lane['on']) => Promise<Reported>
  /** Stores lines of tasks that are still held. */
  readonly keepLines: (lines: ReturnType<LogBook['takeAll']>) => Promise<void>
}

/** On which connection reports are said, and how often these met a held row before. */
interface Lane {
  readonly on: 'report' | 'aside'
  readonly failures: number
  readonly backoff: Backoff
}

/**
 * Reports outcomes, many with one statement. What ends while a report is under way is gathered for
 * the next; nothing ever waits for company. While the database is gone outcomes are kept, and said
 * when it is back: if the lease still holds they count, otherwise they are dropped. Outcomes whose rows
 * another transaction holds are said aside, so that they hold up no others.
 */
export class Reporter {
  /** Called when outcomes were accepted: there may be room for more tasks. */
  onAccepted: (() => void) | undefined
  /** Called when slots of groups were handed on: tasks that waited for them can be claimed now. */
  onHandedOn: (() => void) | undefined
  /** Called when nothing waits to be reported for now. */
  onReported: (() => void) | undefined
  readonly #options: ReporterOptions
  readonly #lane: Lane = { on: 'report', failures: 0, backoff: new Backoff() }
  readonly #backoffAside = new Backoff()
  readonly #held = new HeldReports({ report: (ends, failures) => this.#sayAside(ends, failures) })
  readonly #packs = new PackGate((ends) => this.#queue(ends))
  #waiting: Ended[] = []
  #saying = 0
  #loop: Promise<void> | undefined
  #isGivenUp: boolean = false

  constructor(options: ReporterOptions) {
    this.#options = options
    options.logBook.onFull = () => this.#stir()
  }

  /** Outcomes that the database has not accepted yet, less those that wait for another transaction. */
  get pending(): number {
    return this.#waiting.length + this.#saying + this.#packs.size
  }

  add(task: HeldTask, outcome: Outcome): void {
    const isTold = outcome.kind === 'committed' || outcome.kind === 'suspended'
    if (task.isLost || outcome.kind === 'dropped' || isTold) {
      this.#packs.leave(task)
      this.#options.heldTasks.remove(task)
      if (outcome.kind === 'committed') this.#options.news.ended(task, outcome)
      else if (!isTold) this.#dropped(task, outcome)
      this.onReported?.()
      return
    }
    this.#packs.add({ task, outcome })
  }

  #queue(ends: readonly Ended[]): void {
    this.#waiting.push(...ends)
    this.#stir()
  }

  /** Resolves when everything has been said, or when the time is over: then the rest is given up. */
  async close(withinMs: number): Promise<void> {
    let deadline: NodeJS.Timeout | undefined
    const over = new Promise<void>((resolve) => {
      deadline = setTimeout(() => {
        this.#isGivenUp = true
        this.#held.giveUp()
        resolve()
      }, withinMs)
    })
    this.#packs.open()
    this.#stir()
    // A database that went silent would be waited for much longer by the statement that is under way.
    await Promise.race([this.#allSaid(), over])
    clearTimeout(deadline)
    const outcomes = this.pending + this.#held.size
    if (outcomes > 0) {
      const { log } = this.#options
      log.error({ outcomes }, 'outcomes could not be reported; the tasks will be rescued')
    }
  }

  async #allSaid(): Promise<void> {
    await this.#loop
    await this.#held.allReported()
  }

  #stir(): void {
    this.#loop ??= this.#run().finally(() => {
      this.#loop = undefined
      // Something may have ended between the last look and now.
      if (this.#waiting.length > 0 && !this.#isGivenUp) this.#stir()
    })
  }

  async #run(): Promise<void> {
    // What ends in the same turn of the event loop goes along.
    await nextTurn()
    while ((this.#waiting.length > 0 || this.#options.logBook.size > 0) && !this.#isGivenUp) {
      await this.#keepLines()
      const free = this.#held.divert(this.#waiting.splice(0, wholePacks(this.#waiting, mostAtOnce)))
      this.#saying = free.length
      for (const report of groupByKind(free)) await this.#persist(report, this.#lane)
      this.#saying = 0
      this.onAccepted?.()
    }
    this.onReported?.()
  }

  async #sayAside(ends: readonly Ended[], failures: number): Promise<void> {
    const lane: Lane = { on: 'aside', failures, backoff: this.#backoffAside }
    for (const report of groupByKind(ends)) await this.#persist(report, lane)
    this.onAccepted?.()
    this.onReported?.()
  }

  /** Before the outcomes: lines of a task that has ended are refused. */
  async #keepLines(): Promise<void> {
    const { logBook, keepLines, log } = this.#options
    const lines = logBook.takeAll()
    if (lines.length === 0) return
    try {
      await keepLines(lines)
    } catch (error) {
      log.warn({ err: error, lines: lines.length }, 'cannot store log lines of tasks')
    }
  }

  /** Until it is said; only the one who stops the worker may end this. */
  async #persist(report: Report, lane: Lane): Promise<void> {
    for (let isRepeated = false; !this.#isGivenUp; isRepeated = true) {
      try {
        const reported = await this.#options.say(report, lane.on)
        lane.backoff.succeeded()
        this.#letGo(report, reported, isRepeated)
        return
      } catch (error) {
        if (isLockTimeout(error)) return this.#held.put(report.ends, lane.failures)
        const fault = classifyReportError(error)
        if (fault !== 'passing') return this.#takeApart(report, error, lane)
        if (!isConnectionLost(error))
          this.#options.log.warn({ err: error }, 'a report failed; trying again')
        await pause(lane.backoff.failed())
      }
    }
    this.#waiting.push(...report.ends)
  }

  /** One of them cannot be said as it is: find out which, so that the others do not suffer. */
  async #takeApart(report: Report, error: unknown, lane: Lane): Promise<void> {
    const [only, ...others] = report.ends
    if (only === undefined) return
    if (others.length > 0) {
      for (const end of report.ends) {
        for (const single of groupByKind([end])) await this.#persist(single, lane)
      }
      return
    }
    const { log, heldTasks } = this.#options
    const instead = insteadOf(only, error)
    log.error({ err: error, task: only.task.id }, 'an outcome was refused')
    if (instead === undefined) heldTasks.remove(only.task)
    else for (const single of groupByKind([instead])) await this.#persist(single, lane)
  }

  #letGo(
    { kind, ends }: Report,
    { accepted, handsOn, answers }: Reported,
    isRepeated: boolean,
  ): void {
    const { heldTasks, news } = this.#options
    const isRead = kind !== 'done' || news.hearsCompleted
    for (const { task, outcome } of ends) {
      heldTasks.remove(task)
      // A repeated report may find that the first one had come through after all.
      if (!accepted.has(task.id) && !isRepeated) this.#dropped(task, outcome)
      else if (isRead) news.ended(task, outcome, answers?.get(task.id))
    }
    if (handsOn) this.onHandedOn?.()
  }

  #dropped(task: HeldTask, outcome: Outcome): void {
    const { id, queue, handler, attempt } = task.row
    const reason = task.aborted?.reason ?? 'lease_lost'
    const line = { task: id, queue, handler, attempt, outcome: outcome.kind, reason }
    this.#options.log.warn(line, 'the task is no longer ours; its result is dropped')
    this.#options.news.lost(task, reason)
  }
}

/** How many of these to say at once: so many, and what else there is of the last one's pack. */
function wholePacks(ends: readonly Ended[], most: number): number {
  let count = withinCharacters(ends.slice(0, most))
  const last = ends[count - 1]?.task.row.pack
  while (last !== undefined && ends[count]?.task.row.pack === last) count += 1
  return count
}

/** How many of these have outputs that one statement can take: all, unless some are of SQL tasks that keep them whole. */
function withinCharacters(ends: readonly Ended[]): number {
  let characters = 0
  const beyond = ends.findIndex(({ outcome }) => {
    characters += outcome.kind === 'done' ? (outcome.output?.length ?? 0) : 0
    return characters > mostCharacters
  })
  return beyond === -1 ? ends.length : Math.max(1, beyond)
}

/** What to say when an outcome was refused: that it could not be said. */
function insteadOf({ task, outcome }: Ended, refusal: unknown): Ended | undefined {
  const message = refusal instanceof Error ? refusal.message : String(refusal)
  const failure = (error: object): ReportedOutcome => ({
    kind: 'failed',
    error: JSON.stringify(error),
    reason: 'error',
    retry: false,
    delay: null,
  })
  switch (outcome.kind) {
    case 'done':
      return {
        task,
        outcome: failure({ name: 'NotStorable', code: 'output_not_storable', message }),
      }
    case 'rescheduled':
      return {
        task,
        outcome: failure({ name: 'NotRescheduled', code: 'not_rescheduled', message }),
      }
    case 'rejected':
    case 'failed':
      if (outcome.delay === null) return undefined
      return { task, outcome: { ...outcome, delay: null } }
    default:
      return undefined
  }
}
