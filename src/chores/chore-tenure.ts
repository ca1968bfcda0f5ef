import { setTimeout as pause } from 'node:timers/promises'
import { isConnectionLost } from '../db/connection-errors.ts'
import { Bell } from '../lib/bell.ts'
import type { Chore } from './chore.ts'
import { describeFailure, type Ending, OneRun } from './run-once.ts'
import type { RunStatistics } from './run-statistics.ts'
import type { ChoreTools, Grant, Tenure } from './strategies/strategy.ts'

/** The first pause after a failure; it doubles up to a minute. */
const afterFailureMs = 1_000
const longestAfterFailureMs = 60_000
/** A run that found nothing and wants to be run again at once may be waiting for another session. */
const afterNothingMs = 50

export interface TenureOptions {
  readonly chore: Chore
  readonly grant: Grant
  readonly tools: ChoreTools
  readonly statistics: RunStatistics
  /** A run does not end; resolves when it has. */
  readonly onStuck: (settled: Promise<unknown>) => void
}

/** Does one chore again and again, one run at a time, while its grant lasts. */
export class ChoreTenure implements Tenure {
  readonly #options: TenureOptions
  readonly #bell = new Bell()
  readonly #running: Promise<void>
  #run: OneRun | undefined
  #isFinishing: boolean = false
  #failures = 0

  constructor(options: TenureOptions) {
    this.#options = options
    options.grant.signal.addEventListener('abort', () => this.#bell.ring(), { once: true })
    this.#running = this.#repeat()
  }

  nudge(): void {
    this.#bell.ring()
  }

  async finish(withinMs: number): Promise<void> {
    this.#isFinishing = true
    this.#bell.ring()
    const { tools } = this.#options
    const inTime = this.#running.then(() => true)
    if (await Promise.race([inTime, pause(withinMs, false, { ref: false })])) return
    this.#run?.tellToStop(new Error('the worker gives up the chore'))
    await Promise.race([this.#running, pause(tools.graceMs, undefined, { ref: false })])
  }

  get #isOver(): boolean {
    return this.#isFinishing || this.#options.grant.signal.aborted
  }

  async #repeat(): Promise<void> {
    let pauseMs = this.#options.grant.firstPauseMs
    while (!this.#isOver) {
      // Also when there is no pause: a run that only computes must not keep everything else waiting.
      await this.#bell.wait(pauseMs)
      if (this.#isOver) return
      this.#bell.hush()
      const { tools, chore, grant } = this.#options
      this.#run = new OneRun(tools, chore, grant)
      pauseMs = this.#conclude(await this.#run.ending)
      this.#run = undefined
    }
  }

  /** Writes down how a run went; answers how long to wait for the next. */
  #conclude(ending: Ending): number {
    const { chore, grant, statistics, tools, onStuck } = this.#options
    const { tookMs } = ending
    switch (ending.kind) {
      case 'done': {
        const { processed, nextInMs } = ending.result
        statistics.note(chore.name, { processed, tookMs })
        tools.log.debug({ chore: chore.name, processed, tookMs }, 'a chore ran')
        this.#failures = 0
        return this.#pauseAfter(processed, nextInMs ?? undefined)
      }
      case 'failed':
        return this.#failed(ending.error, tookMs)
      case 'stuck':
        statistics.note(chore.name, {
          processed: 0,
          tookMs,
          error: { message: 'the run did not stop when it was asked to', code: 'stuck' },
        })
        tools.log.error({ chore: chore.name }, 'a chore does not stop; it is given up')
        onStuck(ending.settled)
        this.#isFinishing = true
        if (!grant.signal.aborted) grant.giveUp()
        return 0
    }
  }

  #pauseAfter(processed: number, nextInMs: number | undefined): number {
    const { chore, grant } = this.#options
    const nextMs = processed >= chore.batch ? 0 : Math.min(nextInMs ?? chore.everyMs, chore.everyMs)
    const leastMs = processed > 0 ? 0 : Math.min(afterNothingMs, chore.everyMs)
    return grant.pauseMs(Math.max(nextMs, leastMs), processed > 0)
  }

  #failed(error: unknown, tookMs: number): number {
    const { chore, statistics, tools } = this.#options
    // A run that was asked to stop has not failed by itself.
    if (this.#isOver) return 0
    statistics.note(chore.name, { processed: 0, tookMs, error: describeFailure(error) })
    if (!isConnectionLost(error))
      tools.log.warn({ err: error, chore: chore.name }, 'a chore failed')
    const longestMs = Math.min(Math.max(chore.everyMs, afterFailureMs), longestAfterFailureMs)
    this.#failures += 1
    return Math.min(afterFailureMs * 2 ** (this.#failures - 1), longestMs)
  }
}
