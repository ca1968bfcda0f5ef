import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { isGone } from '../db/gone.ts'
import { untrusted } from '../db/untrusted.ts'
import { Backoff } from '../lib/backoff.ts'
import type { Tasks } from '../tasks/task-list.ts'
import { assemble, type Parts } from './assemble.ts'
import { listen, register, sayGoodbye } from './joining.ts'
import { abortRunning, doubtAll } from './losing.ts'
import { notInstalled } from './not-installed.ts'
import { type Settings, settle, type WorkerOptions } from './options.ts'
import { heedSignals } from './signals.ts'
import { around, openTracing } from './tracing.ts'

/** How long the last words may take when a worker stops: outcomes, then goodbye. */
const lastWordsMs = 5_000

/** How long the runs of chores under way may take when a worker stops. */
const lastRunsMs = 2_000

export interface StopOptions {
  /** How long running handlers may go on before they are told to stop. */
  readonly deadlineMs?: number
}

/**
 * A worker: claims tasks, runs their handlers and reports what became of them.
 *
 * claim loop ─▶ buffer ─▶ executor ─▶ handler ─▶ reporter, each on a connection of its own, and a thread
 * that keeps the leases. It decides nothing about a task: every state is the database's.
 *
 * What may happen, and what then does:
 * - the database goes away: handlers run on, outcomes are kept and told when it is back, and whatever
 *   could not be renewed in time is stopped before anybody else can be given it;
 * - the lease of a task is lost, or the task is cancelled: its handler's signal aborts, its result is
 *   dropped;
 * - the event loop is blocked: the thread renews for up to `maxBlockMs`, then lets others take over;
 * - the process dies: its leases run out, and others rescue what it held.
 */
export class Worker {
  readonly #parts: Parts
  readonly #settings: Settings
  #begun: Promise<void> | undefined
  #stopping: Promise<void> | undefined
  #aborting: NodeJS.Timeout | undefined
  #abortsMs = Number.POSITIVE_INFINITY
  #trust: NodeJS.Timeout | undefined
  #onStopped: () => void = () => {}
  /** Resolves when it has stopped, for whatever reason. */
  readonly stopped: Promise<void> = new Promise((resolve) => {
    this.#onStopped = resolve
  })

  /** Use startWorker(). */
  constructor(options: WorkerOptions) {
    this.#settings = settle(options)
    this.#parts = assemble(options, this.#settings, () => void this.#drain())
    if (options.signals ?? true) heedSignals(this)
  }

  /** Random per start; the view `worker` shows it. */
  get id(): string {
    return this.#parts.card.id
  }

  /** How many handlers run now, and how many tasks wait in the buffer. */
  get load(): { readonly running: number; readonly buffered: number } {
    return this.#parts.holdings.load
  }

  /** @internal */
  async start(): Promise<void> {
    try {
      await register(this.#parts)
    } catch (error) {
      if (!isGone(error)) {
        await this.#parts.connections.close()
        this.#onStopped()
        throw untrusted(error) ?? notInstalled(error, this.#settings.schema)
      }
      this.#begun = this.#registerLater()
      return
    }
    this.#begun = this.#begin()
    await this.#begun
  }

  /**
   * Stops in order: claims nothing more, gives back what has not started without charging an attempt,
   * lets running handlers finish until the deadline, then aborts their signals; reports everything and
   * leaves the registry. Called again with a shorter deadline it hurries up.
   */
  stop({ deadlineMs = this.#settings.deadlineMs }: StopOptions = {}): Promise<void> {
    this.#abortIn(deadlineMs)
    this.#stopping ??= this.#stop().finally(this.#onStopped)
    return this.#stopping
  }

  async #registerLater(): Promise<void> {
    const backoff = new Backoff()
    while (this.#stopping === undefined) {
      await pause(backoff.failed())
      try {
        await register(this.#parts)
        return this.#begin()
      } catch (error) {
        const { log } = this.#parts
        if (!isGone(error)) log.error({ err: error }, 'the worker cannot register; trying again')
      }
    }
  }

  async #begin(): Promise<void> {
    if (this.#stopping !== undefined) return
    const { heartbeat, holdings, reporter, claimLoop, housekeeper, log, card } = this.#parts
    await heartbeat.start()
    const listening = listen(this.#parts)
    const everyMs = Math.min(500, this.#settings.leaseMs / 10)
    this.#trust = setInterval(() => doubtAll(holdings, reporter, log), everyMs).unref()
    claimLoop.start()
    housekeeper?.start()
    await listening
    log.info({ worker: card.id, queues: card.queues, slots: card.slots }, 'the worker has started')
  }

  async #drain(): Promise<void> {
    if (this.#stopping !== undefined) return
    this.#parts.log.info({}, 'the worker was asked to drain')
    await this.stop({ deadlineMs: Number.POSITIVE_INFINITY })
  }

  /** The earliest deadline stands. */
  #abortIn(deadlineMs: number): void {
    if (deadlineMs === Number.POSITIVE_INFINITY) return
    const endsMs = performance.now() + deadlineMs
    if (endsMs >= this.#abortsMs) return
    this.#abortsMs = endsMs
    clearTimeout(this.#aborting)
    // Longer delays overflow a timer and fire at once.
    this.#aborting = setTimeout(
      () => abortRunning(this.#parts.holdings),
      Math.min(deadlineMs, 2_147_483_647),
    )
  }

  async #stop(): Promise<void> {
    const { executor, claimLoop, housekeeper, reporter, heartbeat, listener, connections, log } =
      this.#parts
    log.info(this.load, 'the worker is stopping')
    executor.close()
    const quiet = Promise.all([claimLoop.stop(), housekeeper?.stop(lastRunsMs)])
    await executor.idle()
    clearTimeout(this.#aborting)
    await Promise.race([
      Promise.all([quiet, this.#begun]),
      pause(lastWordsMs, undefined, { ref: false }),
    ])
    await reporter.close(lastWordsMs)
    clearInterval(this.#trust)
    await Promise.all([listener?.close(), heartbeat.stop()])
    await sayGoodbye(this.#parts, lastWordsMs)
    await Promise.race([this.#parts.sql?.close(), pause(lastWordsMs, undefined, { ref: false })])
    await connections.close()
    log.info({}, 'the worker has stopped')
  }
}

/**
 * Starts a worker. Resolves when it is registered, or has found that the database is not there yet,
 * which it then waits for; rejects when it could never work, for example because the schema is not
 * installed.
 *
 * @example
 * ```ts
 * const worker = await startWorker({
 *   database: process.env.DATABASE_URL,
 *   tasks: { send_mail: async (payload: { to: string }) => deliver(payload.to) },
 * })
 * await worker.stopped
 * ```
 */
export async function startWorker<const T extends Tasks>(
  options: WorkerOptions<T>,
): Promise<Worker> {
  // Whoever calls has named schedules of these tasks; inside, those of any will do.
  const given = options as WorkerOptions<Tasks>
  const middleware = around(await openTracing(), given.middleware)
  const worker = new Worker({ ...given, ...(middleware === undefined ? {} : { middleware }) })
  await worker.start()
  return worker
}
