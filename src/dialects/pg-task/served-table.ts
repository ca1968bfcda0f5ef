import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../lib/logger.ts'
import { startWorker, type Worker } from '../../worker/worker.ts'
import type { ServiceConfig, TableEntry } from './config.ts'
import { type PreparedPlace, preparePlace } from './prepare-place.ts'
import { namesOf } from './task-place.ts'
import { pgTaskUpkeep } from './upkeep.ts'

export interface ServedTableOptions {
  readonly baseUrl: string
  readonly entry: TableEntry
  readonly config: ServiceConfig
  readonly logger: Logger
}

const firstPauseMs = 500
const longestPauseMs = 30_000
const longestLeaseMs = 15_000
const shortestLeaseMs = 1_000

/** One table with a worker of its own. Tries until it can be served, and does not disturb other tables meanwhile. */
export class ServedTable {
  readonly #options: ServedTableOptions
  readonly #stopping = new AbortController()
  readonly #serving: Promise<void>
  #worker: Worker | undefined

  constructor(options: ServedTableOptions) {
    this.#options = options
    this.#serving = this.#serve()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#serving
    await this.#worker?.stop()
    this.#options.logger.info(this.#name(), 'no longer serving a task table')
  }

  async #serve(): Promise<void> {
    const { baseUrl, entry, config, logger } = this.#options
    for (let failures = 0; !this.#stopping.signal.aborted; failures += 1) {
      try {
        const place = await preparePlace(baseUrl, entry, config)
        if (this.#stopping.signal.aborted) return
        this.#worker = await this.#work(place)
        logger.info(this.#name(place), 'serving a task table')
        return
      } catch (err) {
        const pauseMs = Math.min(firstPauseMs * 2 ** failures, longestPauseMs)
        logger.warn(
          { ...this.#name(), err, pauseMs },
          'a task table cannot be served; trying again',
        )
        await this.#rest(pauseMs)
      }
    }
  }

  #work({ url, queue, sleepMs, resetMs, run }: PreparedPlace): Promise<Worker> {
    const { config, logger } = this.#options
    return startWorker({
      database: url,
      schema: config.engineSchema,
      queues: [queue],
      tasks: [],
      sql: { allowConnectionStrings: config.allowRemote },
      concurrency: run,
      pollMs: sleepMs,
      chores: { chores: [pgTaskUpkeep(config.engineSchema)] },
      leaseMs: Math.min(Math.max(resetMs, shortestLeaseMs), longestLeaseMs),
      signals: false,
      logger,
    })
  }

  /** Who this is about; the connection string stays out of it. */
  #name(place?: PreparedPlace): object {
    const { entry } = this.#options
    const { schema, table } = place ?? entry
    return { ...namesOf(entry), schema, table }
  }

  async #rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }
}
