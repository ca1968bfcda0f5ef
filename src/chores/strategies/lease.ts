import { setTimeout as pause } from 'node:timers/promises'
import { isConnectionLost } from '../../db/connection-errors.ts'
import type { ChoreTerm, EndOfTerm, Lead } from '../../engine/leading.ts'
import { Backoff } from '../../lib/backoff.ts'
import { Bell } from '../../lib/bell.ts'
import { monotonicMs } from '../../lib/monotonic.ts'
import { CandidateTimer } from './candidate-timer.ts'
import { LeaseHold } from './lease-hold.ts'
import type { ChoreMessage, Strategy, StrategyOptions } from './strategy.ts'

/** Timers reach no further than three weeks; nothing here needs to. */
const longestWaitMs = 600_000

export interface LeaseOptions extends StrategyOptions {
  readonly ttlMs: number
  readonly renewMs: number
  /** How long a term lasts before another worker gets its turn; never, if null. */
  readonly rotateMs: number | null
}

/**
 * One leader per chore, by a lease. One statement renews everything the worker leads and takes what is
 * free, every `renewMs` while it leads anything; while it does not, it looks when a lease may be over.
 *
 * An error keeps leadership until trust in the last renewal runs out; the word of the database that
 * another leads ends it at once. Either aborts the signal of the run under way.
 */
export class LeaseStrategy implements Strategy {
  readonly #options: LeaseOptions
  readonly #timer: CandidateTimer
  readonly #held = new Map<string, LeaseHold>()
  readonly #bell = new Bell()
  readonly #backoff = new Backoff()
  #lookAtMs = 0
  #renewAtMs = 0
  readonly #heard: (() => void)[] = []
  #isLooking: boolean = false
  #isFailing: boolean = false
  #isStopping: boolean = false
  #running: Promise<void> | undefined

  constructor(options: LeaseOptions) {
    this.#options = options
    this.#timer = new CandidateTimer(options)
  }

  start(): void {
    this.#running = this.#run()
  }

  hear({ chore, heir, resign }: ChoreMessage): void {
    this.#afterLook(() => {
      const { worker } = this.#options.tools
      if (resign === worker && this.#held.has(chore)) this.#lookNow()
      if (heir === undefined || this.#held.has(chore)) return
      this.#timer.released(chore, heir === worker)
      this.#replan()
    })
  }

  lookAgain(): void {
    this.#afterLook(() => {
      for (const { name } of this.#options.chores) this.#timer.released(name, false)
      this.#replan()
    })
  }

  /** What is heard during a look may be newer than its answer, which must not make it forgotten. */
  #afterLook(heed: () => void): void {
    if (this.#isLooking) this.#heard.push(heed)
    else heed()
  }

  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true
    this.#bell.ring()
    await this.#running
    const holds = [...this.#held.values()]
    await Promise.all(holds.map(({ tenure }) => tenure?.finish(withinMs)))
    const still = holds.filter(({ isReleasing, signal }) => !isReleasing && !signal.aborted)
    await Promise.race([
      this.#release(still, 'shutdown'),
      pause(withinMs, undefined, { ref: false }),
    ])
    for (const hold of holds) hold.end()
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      if (monotonicMs() >= this.#lookAtMs) {
        this.#isLooking = true
        await this.#look()
        this.#isLooking = false
        this.#replan()
        for (const heed of this.#heard.splice(0)) heed()
      }
      await this.#bell.wait(Math.max(this.#lookAtMs - monotonicMs(), 0))
    }
  }

  /** The earlier of the next renewal and the next look; a planned retry stands. */
  #replan(): void {
    if (this.#isFailing) return
    const renewAtMs = this.#held.size > 0 ? this.#renewAtMs : Number.POSITIVE_INFINITY
    const nextMs = Math.min(this.#timer.nextLookAtMs, renewAtMs)
    this.#lookAtMs = Math.min(nextMs, monotonicMs() + longestWaitMs)
    this.#bell.ring()
  }

  #lookNow(): void {
    this.#lookAtMs = 0
    this.#bell.ring()
  }

  async #look(): Promise<void> {
    const { tools, statistics, register } = this.#options
    const asked = this.#ask()
    const sentAtMs = monotonicMs()
    this.#renewAtMs = sentAtMs + this.#options.renewMs
    try {
      const leads = await statistics.tell((runs) =>
        tools.lead((db) => tools.verbs.leadChores(db, tools.worker, asked, runs)),
      )
      const candidates = Math.max(0, ...leads.map((lead) => lead.candidates))
      if (candidates > 0) this.#options.onReported(candidates)
      if (leads.length < asked.length) await register()
      this.#learn(asked, leads, sentAtMs)
      this.#isFailing = false
      this.#backoff.succeeded()
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Everything but what is being given up, or cannot be done here because a run does not end. */
  #ask(): ChoreTerm[] {
    const { chores, isStuck } = this.#options
    return chores.flatMap(({ name: chore }): ChoreTerm[] => {
      const hold = this.#held.get(chore)
      if (hold === undefined && isStuck(chore)) {
        this.#timer.look(chore, this.#options.ttlMs)
        return []
      }
      if (hold === undefined) return [{ chore, term: null }]
      return hold.isReleasing ? [] : [{ chore, term: hold.term }]
    })
  }

  #failed(error: unknown): void {
    const { log } = this.#options.tools
    if (!this.#isFailing && !isConnectionLost(error)) {
      log.warn({ err: error }, 'cannot find out who leads the chores; trying again')
    }
    this.#isFailing = true
    this.#lookAtMs = monotonicMs() + this.#backoff.failed()
  }

  #learn(asked: readonly ChoreTerm[], leads: readonly Lead[], sentAtMs: number): void {
    const byChore = new Map(leads.map((lead) => [lead.chore, lead]))
    for (const { chore, term } of asked) {
      const lead = byChore.get(chore)
      if (lead === undefined || lead.term === null) this.#learnNot(chore, term, lead)
      else this.#learnLed(lead.term, term, lead, sentAtMs)
    }
  }

  #learnLed(term: bigint, askedTerm: bigint | null, lead: Lead, sentAtMs: number): void {
    const leaseMs = lead.expires_in_ms ?? 0
    const trustedUntilMs = sentAtMs + leaseMs - Math.min(1_000, leaseMs / 5)
    // Another worker may have registered the chore with a shorter lease than ours.
    this.#renewAtMs = Math.min(this.#renewAtMs, sentAtMs + leaseMs / 3)
    const hold = this.#held.get(lead.chore)
    if (askedTerm === null) this.#gain(lead.chore, term, trustedUntilMs)
    else if (hold?.term === term) this.#renewed(hold, trustedUntilMs, lead.resign)
  }

  #learnNot(chore: string, askedTerm: bigint | null, lead: Lead | undefined): void {
    const hold = this.#held.get(chore)
    if (hold !== undefined && hold.term === askedTerm) this.#lose(hold, 'another worker leads')
    if (lead === undefined) this.#timer.look(chore, 1_000)
    else this.#timer.learn(lead)
  }

  #gain(name: string, term: bigint, trustedUntilMs: number): void {
    const { take, tools } = this.#options
    const chore = this.#options.chores.find((each) => each.name === name)
    if (chore === undefined || this.#isStopping) return
    // The answer came so late that another may lead by now; the next one begins a new term.
    if (trustedUntilMs <= monotonicMs()) {
      this.#timer.look(name, 100)
      return
    }
    this.#timer.forget(name)
    const hold = new LeaseHold({
      chore,
      term,
      trustedUntilMs,
      onDoubt: (doubtful) => this.#lose(doubtful, 'the lease could not be renewed in time'),
      doubt: () => this.#lookNow(),
      giveUp: (stuck) => void this.#giveUp(stuck, 'error'),
    })
    this.#held.set(name, hold)
    tools.log.info({ chore: name, term: String(term) }, 'leads a chore')
    hold.tenure = take(chore, hold)
  }

  #renewed(hold: LeaseHold, trustedUntilMs: number, isAskedToResign: boolean): void {
    hold.renewed(trustedUntilMs)
    const { rotateMs } = this.#options
    if (isAskedToResign) void this.#giveUp(hold, 'resign')
    else if (rotateMs !== null && monotonicMs() - hold.sinceMs >= rotateMs) {
      void this.#giveUp(hold, 'rotation')
    }
  }

  #lose(hold: LeaseHold, reason: string): void {
    const { name } = hold.chore
    if (this.#held.get(name) !== hold || hold.isReleasing) return
    this.#held.delete(name)
    hold.end()
    this.#timer.look(name, 100 + Math.random() * 400)
    const { log } = this.#options.tools
    log.warn({ chore: name, term: String(hold.term), reason }, 'leads a chore no longer')
    this.#replan()
  }

  /** Ends the run under way, then hands over; until then the lease is renewed. */
  async #giveUp(hold: LeaseHold, how: EndOfTerm): Promise<void> {
    if (hold.isEnding) return
    hold.isEnding = true
    if (how !== 'error') await hold.tenure?.finish(this.#options.tools.graceMs)
    if (!hold.signal.aborted && !this.#isStopping) await this.#release([hold], how)
  }

  async #release(holds: readonly LeaseHold[], how: EndOfTerm): Promise<void> {
    if (holds.length === 0) return
    const { tools } = this.#options
    const terms = holds.map(({ chore, term }) => ({ chore: chore.name, term }))
    for (const hold of holds) hold.isReleasing = true
    try {
      await tools.lead((db) => tools.verbs.releaseChores(db, tools.worker, terms, how))
    } catch (error) {
      if (!isConnectionLost(error))
        tools.log.warn({ err: error }, 'a chore could not be handed over')
    }
    for (const hold of holds) {
      this.#forget(hold)
      const { name } = hold.chore
      tools.log.info({ chore: name, term: String(hold.term), how }, 'leads a chore no longer')
    }
  }

  #forget(hold: LeaseHold): void {
    this.#held.delete(hold.chore.name)
    hold.end()
    this.#timer.look(hold.chore.name, 500 + Math.random() * 500)
    this.#replan()
  }
}
