import { isConnectionLost } from '../db/connection-errors.ts'
import type { Listener } from '../db/listen.ts'
import type { StrategyKind } from '../engine/leading.ts'
import { Backoff } from '../lib/backoff.ts'
import { TuskError } from '../lib/errors.ts'
import { monotonicMs } from '../lib/monotonic.ts'
import { builtInChores } from './built-in/built-in-chores.ts'
import type { Chore } from './chore.ts'
import { ChoreTenure } from './chore-tenure.ts'
import { RunStatistics } from './run-statistics.ts'
import type { ChoreSettings } from './settings.ts'
import { AdvisoryStrategy } from './strategies/advisory.ts'
import { openAll } from './strategies/all.ts'
import { LeaseStrategy } from './strategies/lease.ts'
import { longestPauseMs, openSkipLocked } from './strategies/skip-locked.ts'
import type {
  ChoreMessage,
  ChoreTools,
  Strategy,
  StrategyOptions,
  Take,
} from './strategies/strategy.ts'

/** How often a worker tells how its chores went, at most; each look at who leads tells it, too. */
const reportEveryMs = 30_000
/** With many workers each tells it less often: all of them together so many times a second. */
const reportsPerSecond = 2

export interface HousekeeperOptions {
  readonly tools: ChoreTools
  readonly settings: ChoreSettings
  readonly schema: string
  readonly leaseMs: number
  readonly listener: Listener | undefined
}

/** Does the chores of a worker: decides by strategy when it may, runs them, and tells how they went. */
export class Housekeeper {
  readonly #options: HousekeeperOptions
  readonly #chores: readonly Chore[]
  readonly #statistics = new RunStatistics()
  readonly #stuck = new Set<string>()
  readonly #tenures = new Map<string, ChoreTenure>()
  readonly #strategies: readonly Strategy[]
  readonly #deafen: (() => void)[] = []
  #peers = 1
  /** When the database last got a report on the chores and said how many workers there are. */
  #reportedMs = Number.NEGATIVE_INFINITY
  #starting: Promise<void> | undefined
  #isStopping: boolean = false
  #reporting: NodeJS.Timeout | undefined
  readonly #backoff = new Backoff()
  #isUnregistered: boolean = false
  #registering: NodeJS.Timeout | undefined

  constructor(options: HousekeeperOptions) {
    this.#options = options
    const { settings } = options
    this.#chores = [...builtInChores(options), ...settings.own]
    const names = new Set(this.#chores.map(({ name }) => name))
    if (names.size < this.#chores.length) throw nameTwice(this.#chores)
    this.#strategies = this.#openStrategies()
  }

  start(): void {
    this.#starting = this.register().then(() => {
      if (this.#isStopping) return
      this.#listen()
      for (const strategy of this.#strategies) strategy.start()
      this.#reportLater()
    })
  }

  /** Makes the chores known, also again: the worker or its chores may have been forgotten. */
  async register(): Promise<void> {
    if (this.#isStopping) return
    const { tools, settings } = this.#options
    const cards = this.#chores.map((chore) => {
      const strategy = settings.strategyOf(chore)
      const everyMs = strategy === 'skip-locked' ? longestPauseMs(chore) : chore.everyMs
      const { name, timeoutMs } = chore
      return { name, strategy, everyMs, timeoutMs, ttlMs: settings.ttlMs }
    })
    try {
      await tools.lead((db) =>
        tools.verbs.registerChores(db, tools.worker, cards, settings.mayLead),
      )
      this.#isUnregistered = false
      this.#backoff.succeeded()
    } catch (err) {
      if (!isConnectionLost(err) && !this.#isUnregistered) {
        tools.log.error({ err }, 'the chores cannot be registered; trying again')
      }
      this.#isUnregistered = true
      this.#registerLater()
    }
  }

  /** It may lead meanwhile, but no leader hands a chore to it, and it does not count among the candidates. */
  #registerLater(): void {
    clearTimeout(this.#registering)
    this.#registering = setTimeout(() => void this.register(), this.#backoff.failed()).unref()
  }

  /** Lets what runs end, for a while, and gives everything up, so that others take over at once. */
  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true
    await this.#starting
    clearTimeout(this.#reporting)
    clearTimeout(this.#registering)
    for (const deafen of this.#deafen) deafen()
    await Promise.all(this.#strategies.map((strategy) => strategy.stop(withinMs)))
    await this.#report()
  }

  #openStrategies(): Strategy[] {
    const { settings } = this.#options
    const { ttlMs, renewMs, rotateMs } = settings
    const open: Record<StrategyKind, (common: StrategyOptions) => Strategy> = {
      all: openAll,
      'skip-locked': (common) => openSkipLocked(common, () => this.#peers),
      advisory: (common) => new AdvisoryStrategy({ ...common, ttlMs, checkMs: renewMs }),
      lease: (common) => new LeaseStrategy({ ...common, ttlMs, renewMs, rotateMs }),
    }
    return Object.entries(open).flatMap(([kind, make]) => {
      const chores = this.#chores.filter((chore) => settings.strategyOf(chore) === kind)
      const mayDo = settings.mayLead || kind === 'all' || kind === 'skip-locked'
      return chores.length > 0 && mayDo ? [make(this.#common(chores))] : []
    })
  }

  #common(chores: readonly Chore[]): StrategyOptions {
    return {
      tools: this.#options.tools,
      chores,
      statistics: this.#statistics,
      take: this.#take,
      isStuck: (chore) => this.#stuck.has(chore),
      onReported: (workers) => this.#noteReport(workers),
      register: () => this.register(),
    }
  }

  #noteReport(workers: number): void {
    this.#peers = workers
    this.#reportedMs = monotonicMs()
  }

  readonly #take: Take = (chore, grant) => {
    const onStuck = (settled: Promise<unknown>) => {
      this.#stuck.add(chore.name)
      void settled.then(() => this.#stuck.delete(chore.name))
    }
    const { tools } = this.#options
    const tenure = new ChoreTenure({ chore, grant, tools, statistics: this.#statistics, onStuck })
    this.#tenures.set(chore.name, tenure)
    return tenure
  }

  #listen(): void {
    const { listener, schema } = this.#options
    if (listener === undefined) return
    const hear = (channel: string, onMessage: (payload: string) => void, onListening = () => {}) =>
      this.#deafen.push(listener.hear(channel, { onMessage, onListening }))
    hear(
      `${schema}:chores`,
      (payload) => {
        const message = readMessage(payload)
        if (message === undefined) return
        for (const strategy of this.#strategies) strategy.hear(message)
      },
      () => {
        for (const strategy of this.#strategies) strategy.lookAgain()
      },
    )
    for (const { name, channel } of this.#chores) {
      const nudge = () => this.#tenures.get(name)?.nudge()
      if (channel !== undefined) hear(channel, nudge, nudge)
    }
  }

  #reportLater(): void {
    const everyMs = Math.max(reportEveryMs, (this.#peers / reportsPerSecond) * 1_000)
    this.#reporting = setTimeout(
      () => void this.#reportIfDue().finally(() => this.#reportLater()),
      everyMs * (0.75 + Math.random() / 2),
    ).unref()
  }

  /** One that looks at who leads often enough has reported it then. */
  async #reportIfDue(): Promise<void> {
    if (monotonicMs() - this.#reportedMs >= reportEveryMs) await this.#report()
  }

  async #report(): Promise<void> {
    if (this.#statistics.isEmpty) return
    const { tools } = this.#options
    try {
      const workers = await this.#statistics.tell((runs) =>
        tools.lead((db) => tools.verbs.reportChores(db, tools.worker, runs)),
      )
      this.#noteReport(workers)
    } catch (err) {
      if (!isConnectionLost(err)) tools.log.warn({ err }, 'cannot report the runs of chores')
    }
  }
}

/** Every session can notify on a channel, so messages that are not ours are ignored. */
function readMessage(payload: string): ChoreMessage | undefined {
  try {
    const { chore, heir, resign } = JSON.parse(payload)
    return typeof chore === 'string' ? { chore, heir, resign } : undefined
  } catch {
    return undefined
  }
}

function nameTwice(chores: readonly Chore[]): TuskError {
  const names = chores.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return new TuskError('invalid_argument', `there are two chores named ${twice}`, {
    hint: 'Give each chore a name of its own; the built-in ones have theirs.',
  })
}
