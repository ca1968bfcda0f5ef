import { isGone } from '../db/gone.ts'
import type { Queryable } from '../db/queryable.ts'
import type { Verbs } from '../engine/verbs.ts'
import { Bell } from '../lib/bell.ts'
import { monotonicMs } from '../lib/monotonic.ts'
import type { Logger } from './log.ts'

const claimsAtOnce = 100
/** How late after a lease ran out a worker may look; spread, so that not all of them look at once. */
const rescueSpreadMs = 2_000
const tidyEveryMs = 30_000
const sweepEveryMs = 300_000
/** After a failure. */
const againAfterMs = 2_000

interface Chore {
  readonly name: string
  dueMs: number
  /** Does it; answers in how many milliseconds it is due again. */
  run(db: Queryable): Promise<number>
}

export interface ChoresOptions {
  readonly verbs: Verbs
  readonly leaseMs: number
  readonly on: <T>(work: (db: Queryable) => Promise<T>) => Promise<T>
  readonly log: Logger
}

/**
 * The housekeeping that every worker does, so that nothing is ever stuck: rescues what dead workers
 * held, fails what is past its deadline, counts, and sweeps what need not be kept. Any number may do
 * it at once; each waits for its own jittered time, and rescues when the next lease runs out.
 */
export class Chores {
  readonly #options: ChoresOptions
  readonly #bell = new Bell()
  readonly #chores: readonly Chore[]
  #isStopping: boolean = false
  #running: Promise<void> | undefined

  constructor(options: ChoresOptions) {
    this.#options = options
    const { verbs } = options
    this.#chores = [
      { name: 'rescue', dueMs: soon(500), run: (db) => this.#rescue(db) },
      {
        name: 'tidy',
        dueMs: soon(tidyEveryMs),
        run: async (db) => {
          await verbs.tidy(db)
          return spread(tidyEveryMs)
        },
      },
      {
        name: 'sweep',
        dueMs: soon(sweepEveryMs),
        run: async (db) => {
          await verbs.sweep(db)
          return spread(sweepEveryMs)
        },
      },
    ]
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#bell.ring()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      const next = this.#chores.reduce((one, other) => (other.dueMs < one.dueMs ? other : one))
      await this.#bell.wait(Math.max(next.dueMs - monotonicMs(), 0))
      if (this.#isStopping) return
      next.dueMs = monotonicMs() + (await this.#attempt(next))
    }
  }

  async #attempt({ name, run }: Chore): Promise<number> {
    try {
      return await this.#options.on(run)
    } catch (error) {
      if (!isGone(error)) this.#options.log.warn({ err: error, chore: name }, 'a chore failed')
      return againAfterMs
    }
  }

  async #rescue(db: Queryable): Promise<number> {
    const { verbs, leaseMs, log } = this.#options
    const { tasks, next_in_ms } = await verbs.rescueSome(db, claimsAtOnce)
    if (tasks > 0) log.warn({ tasks }, 'rescued tasks whose worker stopped renewing its lease')
    // Nothing held now cannot run out sooner than a lease from now.
    const nextMs = Math.min(next_in_ms ?? leaseMs, leaseMs)
    return Math.max(nextMs, 0) + Math.random() * Math.min(rescueSpreadMs, leaseMs / 4)
  }
}

function soon(withinMs: number): number {
  return monotonicMs() + Math.random() * withinMs
}

function spread(ms: number): number {
  return ms * (0.8 + Math.random() * 0.4)
}
