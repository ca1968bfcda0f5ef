import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { findDatabase } from '../database/find-database.ts'
import type { FoundDatabase } from '../database/found-database.ts'
import { isConnectionLost } from '../db/connection-errors.ts'
import { describeTlsError } from '../db/tls-error.ts'
import { Backoff } from '../lib/backoff.ts'
import { type Duration, toMilliseconds } from '../lib/duration.ts'
import { flushLogger } from '../lib/flush-logger.ts'
import { requireOptions } from '../lib/require-known.ts'
import type { Tasks } from '../tasks/task-list.ts'
import { assemble, type Parts } from './assemble.ts'
import type { Database } from './connections/connection-config.ts'
import type { WorkerEventName, WorkerListener } from './events/worker-events.ts'
import { explainMissingSchema } from './explain-missing-schema.ts'
import { requireWorkerOptions } from './known-options.ts'
import {
  type OpenedOptions,
  resolveSettings,
  type Settings,
  type WorkerOptions,
} from './options.ts'
import { withPushQueues } from './push-queues.ts'
import { listenForMessages, registerWorker, unregisterWorker } from './registration.ts'
import { nestMiddleware, openTracing } from './run/tracing.ts'
import { handleSignals } from './signals.ts'
import { abortRunningTasks, stopDoubtfulTasks } from './stop-tasks.ts'

/** How long the last words may take when a worker stops: outcomes, then goodbye. */
const lastWordsMs = 5_000

/** How long the runs of chores under way may take when a worker stops. */
const lastRunsMs = 2_000

/** How long running handlers may take when a worker stops. */
export interface StopOptions {
  /** How long running handlers may go on before their signal is aborted. */
  readonly deadlineMs?: Duration
}

/**
 * A worker: claims tasks, runs their handlers and reports what became of them.
 *
 * claim loop ─▶ buffer ─▶ executor ─▶ handler ─▶ reporter, each on a connection of its own, and a thread
 * that keeps the leases. It decides nothing about a task: every state is the database's.
 *
 * What may happen, and what then does:
 * - the database goes away: handlers run on, outcomes are kept and reported when it is back, and a task
 *   whose lease could not be renewed in time is stopped before another worker can claim it;
 * - the lease of a task is lost, or the task is cancelled: its handler's signal aborts, its result is
 *   dropped;
 * - the event loop is blocked: the thread renews for up to `maxBlockMs`, then lets others take over;
 * - the process dies: its leases run out, and others rescue what it held.
 */
export class Worker {
  readonly #parts: Parts
  readonly #settings: Settings
  readonly #closeDatabase: () => Promise<void>
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
  constructor(options: OpenedOptions, closeDatabase: () => Promise<void> = async () => {}) {
    this.#closeDatabase = closeDatabase
    this.#settings = resolveSettings(options)
    this.#parts = assemble(options, this.#settings, () => void this.#drain())
    if (options.signals ?? true) handleSignals(this)
  }

  /** Random per start; the view `worker` shows it. */
  get id(): string {
    return this.#parts.card.id
  }

  /** How many handlers run now, and how many tasks wait in the buffer. */
  get load(): { readonly running: number; readonly buffered: number } {
    return this.#parts.heldTasks.load
  }

  /**
   * Calls a listener for each event of this name; what it returns unsubscribes. A listener that throws is logged and
   * changes nothing. To miss nothing from the first task on, pass `listeners` to startWorker() instead.
   *
   * @example
   * ```ts
   * worker.on('failed', ({ task, error, isFinal }) => {
   *   if (isFinal) reportToSentry(error, { task: task.id, queue: task.queue })
   * })
   * ```
   */
  on<Name extends WorkerEventName>(name: Name, listener: WorkerListener<Name>): () => void {
    return this.#parts.emitter.on(name, listener)
  }

  /** @internal */
  async start(): Promise<void> {
    try {
      await registerWorker(this.#parts)
    } catch (error) {
      if (!isConnectionLost(error)) {
        await this.#parts.connections.close()
        await this.#closeDatabase()
        this.#onStopped()
        throw describeTlsError(error) ?? explainMissingSchema(error, this.#settings.schema)
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
  stop(options: StopOptions = {}): Promise<void> {
    requireOptions('stop()', options, { deadlineMs: true })
    this.#abortIn(toMilliseconds('deadlineMs', options.deadlineMs ?? this.#settings.deadlineMs))
    this.#stopping ??= this.#stop().finally(this.#onStopped)
    return this.#stopping
  }

  async #registerLater(): Promise<void> {
    const backoff = new Backoff()
    while (this.#stopping === undefined) {
      await pause(backoff.failed())
      try {
        await registerWorker(this.#parts)
        return this.#begin()
      } catch (error) {
        const { log } = this.#parts
        if (!isConnectionLost(error))
          log.error({ err: error }, 'the worker cannot register; trying again')
      }
    }
  }

  async #begin(): Promise<void> {
    if (this.#stopping !== undefined) return
    const { heartbeat, heldTasks, reporter, claimLoop, housekeeper, log, card } = this.#parts
    await heartbeat.start()
    const listening = listenForMessages(this.#parts)
    const everyMs = Math.min(500, this.#settings.leaseMs / 10)
    this.#trust = setInterval(() => stopDoubtfulTasks(heldTasks, reporter, log), everyMs).unref()
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
      () => abortRunningTasks(this.#parts.heldTasks),
      Math.min(deadlineMs, 2_147_483_647),
    )
  }

  async #stop(): Promise<void> {
    const { executor, claimLoop, housekeeper, reporter, heartbeat, listener, connections } =
      this.#parts
    const { log, emitter } = this.#parts
    log.info(this.load, 'the worker is stopping')
    emitter.emit('stopping', {})
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
    await unregisterWorker(this.#parts, lastWordsMs)
    await Promise.race([this.#parts.sql?.close(), pause(lastWordsMs, undefined, { ref: false })])
    this.#parts.push?.close()
    await connections.close()
    await this.#closeDatabase()
    log.info({}, 'the worker has stopped')
    emitter.emit('stopped', {})
    await flushLogger(log)
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
 *   tasks: { send_mail: async (payload: { to: string }) => deliver(payload.to) },
 * })
 * await worker.stopped
 * ```
 */
export async function startWorker<const T extends Tasks>(
  options: WorkerOptions<T>,
): Promise<Worker> {
  // The caller's schedules are typed by these tasks; inside, schedules of any task will do.
  const given = options as WorkerOptions<Tasks>
  requireWorkerOptions(given)
  const middleware = nestMiddleware(await openTracing(), given.middleware)
  const found = await findDatabase(given.database, { schema: given.schema ?? 'tusk' })
  const { database } = found
  const traced = { ...given, database, ...(middleware === undefined ? {} : { middleware }) }
  const worker = await unlessRefused(
    found,
    async () => new Worker(await withPushQueues(traced), found.close),
  )
  await worker.start()
  return worker
}

/** What was started for a worker that cannot be made is given back. */
async function unlessRefused<T>(
  found: FoundDatabase<Database>,
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make()
  } catch (error) {
    await found.close()
    throw error
  }
}
