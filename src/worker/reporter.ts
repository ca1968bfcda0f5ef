import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { isGone } from '../db/gone.ts'
import { Backoff } from '../lib/backoff.ts'
import type { Outcome } from '../runners/outcome.ts'
import { HeldReports } from './held-reports.ts'
import type { HeldTask } from './held-task.ts'
import type { Holdings } from './holdings.ts'
import type { Logger } from './log.ts'
import type { LogBook } from './log-book.ts'
import { type Ended, isHeld, type Report, reportFault, type Said, sortOut } from './reports.ts'

const mostAtOnce = 1_000

export interface ReporterOptions {
  readonly holdings: Holdings
  readonly log: Logger
  readonly logBook: LogBook
  /**
   * Says one kind of outcome of many tasks; gives the ids that were accepted. Fails soon if a row is held by
   * another transaction, and those `aside` sooner still.
   */
  readonly say: (report: Report, on: Lane['on']) => Promise<ReadonlySet<string>>
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
  /** Told when outcomes were accepted: there may be room for more tasks. */
  onSettled: (() => void) | undefined
  readonly #options: ReporterOptions
  readonly #lane: Lane = { on: 'report', failures: 0, backoff: new Backoff() }
  readonly #backoffAside = new Backoff()
  readonly #held = new HeldReports({ report: (ends, failures) => this.#sayAside(ends, failures) })
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
    return this.#waiting.length + this.#saying
  }

  add(task: HeldTask, outcome: Outcome): void {
    if (task.isLost || outcome.kind === 'dropped' || outcome.kind === 'settled') {
      this.#options.holdings.remove(task)
      if (outcome.kind !== 'settled') this.#dropped(task, outcome)
      return
    }
    this.#waiting.push({ task, outcome })
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
    await this.#held.settled()
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
      const free = this.#held.divert(this.#waiting.splice(0, mostAtOnce))
      this.#saying = free.length
      for (const report of sortOut(free)) await this.#persist(report, this.#lane)
      this.#saying = 0
      this.onSettled?.()
    }
  }

  async #sayAside(ends: readonly Ended[], failures: number): Promise<void> {
    const lane: Lane = { on: 'aside', failures, backoff: this.#backoffAside }
    for (const report of sortOut(ends)) await this.#persist(report, lane)
    this.onSettled?.()
  }

  /** Before the outcomes: lines of a task that has ended are refused. */
  async #keepLines(): Promise<void> {
    const { logBook, keepLines, log } = this.#options
    const lines = logBook.takeAll()
    if (lines.length === 0) return
    try {
      await keepLines(lines)
    } catch (error) {
      log.warn({ err: error, lines: lines.length }, 'lines of tasks could not be kept')
    }
  }

  /** Until it is said; only the one who stops the worker may end this. */
  async #persist(report: Report, lane: Lane): Promise<void> {
    for (let isRepeated = false; !this.#isGivenUp; isRepeated = true) {
      try {
        const accepted = await this.#options.say(report, lane.on)
        lane.backoff.succeeded()
        this.#settle(report, accepted, isRepeated)
        return
      } catch (error) {
        if (isHeld(error)) return this.#held.put(report.ends, lane.failures)
        const fault = reportFault(error)
        if (fault !== 'passing') return this.#takeApart(report, error, lane)
        if (!isGone(error)) this.#options.log.warn({ err: error }, 'a report failed; trying again')
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
        for (const single of sortOut([end])) await this.#persist(single, lane)
      }
      return
    }
    const { log, holdings } = this.#options
    const instead = insteadOf(only, error)
    log.error({ err: error, task: only.task.id }, 'an outcome was refused')
    if (instead === undefined) holdings.remove(only.task)
    else for (const single of sortOut([instead])) await this.#persist(single, lane)
  }

  #settle({ ends }: Report, accepted: ReadonlySet<string>, isRepeated: boolean): void {
    for (const { task, outcome } of ends) {
      this.#options.holdings.remove(task)
      // A repeated report may find that the first one had come through after all.
      if (!accepted.has(task.id) && !isRepeated) this.#dropped(task, outcome)
    }
  }

  #dropped(task: HeldTask, outcome: Outcome): void {
    const { id, queue, handler, attempt } = task.row
    const reason = task.aborted?.reason ?? 'lease_lost'
    const line = { task: id, queue, handler, attempt, outcome: outcome.kind, reason }
    this.#options.log.warn(line, 'the task is no longer ours; its result is dropped')
  }
}

/** What to say when an outcome was refused: that it could not be said. */
function insteadOf({ task, outcome }: Ended, refusal: unknown): Ended | undefined {
  const message = refusal instanceof Error ? refusal.message : String(refusal)
  const failure = (error: object): Said => ({
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
