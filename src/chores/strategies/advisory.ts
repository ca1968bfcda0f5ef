import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { EndOfTerm } from '../../engine/leading.ts'
import { Bell } from '../../lib/bell.ts'
import { monotonicMs } from '../../lib/monotonic.ts'
import type { Chore } from '../chore.ts'
import { LeaseHold } from './lease-hold.ts'
import { isBehindPooler } from './pooler.ts'
import type { ChoreMessage, Strategy, StrategyOptions } from './strategy.ts'

export interface AdvisoryOptions extends StrategyOptions {
  /** How long a lock is trusted without being asked about. */
  readonly ttlMs: number
  /** How often a leader asks whether its session still holds the lock. */
  readonly checkMs: number
}

/**
 * One leader per chore, by an advisory lock of a session that is used for nothing else. The lock goes
 * with the session, so losing the connection is losing the chores, at once; others try again all the
 * time. Behind a pooler the session is not ours: then nothing is led at all.
 */
export class AdvisoryStrategy implements Strategy {
  readonly #options: AdvisoryOptions
  readonly #bell = new Bell()
  readonly #held = new Map<string, LeaseHold>()
  #client: pg.Client | undefined
  #isRefused: boolean = false
  #isFailing: boolean = false
  #isStopping: boolean = false
  #running: Promise<void> | undefined

  constructor(options: AdvisoryOptions) {
    this.#options = options
  }

  start(): void {
    this.#running = this.#run()
  }

  hear({ chore, heir, resign }: ChoreMessage): void {
    const { worker } = this.#options.tools
    const isOurs = resign === worker && this.#held.has(chore)
    if (isOurs || heir === worker) this.#bell.ring()
  }

  lookAgain(): void {
    this.#bell.ring()
  }

  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true
    this.#bell.ring()
    await this.#running
    const holds = [...this.#held.values()]
    await Promise.all(holds.map(({ tenure }) => tenure?.finish(withinMs)))
    for (const hold of holds) await this.#unlock(hold, 'shutdown')
    const client = this.#client
    this.#client = undefined
    await Promise.race([client?.end().catch(() => {}), pause(withinMs, undefined, { ref: false })])
  }

  async #run(): Promise<void> {
    const { checkMs, ttlMs } = this.#options
    while (!this.#isStopping && !this.#isRefused) {
      await this.#look()
      const waitMs = this.#held.size > 0 ? checkMs : (ttlMs / 2) * (0.75 + Math.random() / 2)
      await this.#bell.wait(waitMs)
    }
  }

  async #look(): Promise<void> {
    try {
      const client = this.#client ?? (await this.#connect())
      if (client === undefined) return
      for (const chore of this.#options.chores) await this.#lookAt(client, chore)
    } catch (error) {
      const { log } = this.#options.tools
      if (!this.#isFailing) {
        log.warn({ err: error }, 'the session that leads chores is lost; trying again')
      }
      this.#isFailing = true
      this.#loseSession()
      this.#bell.hush()
    }
  }

  async #connect(): Promise<pg.Client | undefined> {
    const { tools } = this.#options
    const client = tools.newClient(`tusk chores ${tools.worker}`)
    const lose = () => this.#client === client && this.#loseSession()
    client.on('error', lose)
    client.on('end', lose)
    try {
      await client.connect()
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
    this.#isFailing = false
    if (await isBehindPooler(client)) {
      this.#isRefused = true
      tools.log.error(
        { chores: this.#options.chores.map(({ name }) => name) },
        'a pooler stands between this worker and Postgres, so it cannot hold advisory locks; it leads no chores. Connect directly, or use the strategy lease.',
      )
      await client.end()
      return undefined
    }
    this.#client = client
    return client
  }

  async #lookAt(client: pg.Client, chore: Chore): Promise<void> {
    const { tools, ttlMs, isStuck } = this.#options
    const hold = this.#held.get(chore.name)
    if (hold === undefined && (isStuck(chore.name) || this.#isStopping)) return
    const sentAtMs = monotonicMs()
    const { term, resign } = await tools.verbs.lockChore(client, tools.worker, chore.name)
    const trustedUntilMs = sentAtMs + ttlMs - Math.min(1_000, ttlMs / 5)
    if (term === null || (hold !== undefined && hold.term !== term)) {
      if (hold !== undefined) this.#lose(hold, 'the session holds the lock no longer')
    } else if (hold === undefined) this.#gain(chore, term, trustedUntilMs)
    else {
      hold.renewed(trustedUntilMs)
      if (resign) void this.#giveUp(hold, 'resign')
    }
  }

  #gain(chore: Chore, term: bigint, trustedUntilMs: number): void {
    const { take, tools } = this.#options
    const hold = new LeaseHold({
      chore,
      term,
      trustedUntilMs,
      onDoubt: (doubtful) => this.#lose(doubtful, 'its session did not answer in time'),
      doubt: () => this.#bell.ring(),
      giveUp: (stuck) => void this.#giveUp(stuck, 'error'),
    })
    this.#held.set(chore.name, hold)
    tools.log.info({ chore: chore.name, term: String(term) }, 'leads a chore')
    hold.tenure = take(chore, hold)
  }

  async #giveUp(hold: LeaseHold, how: EndOfTerm): Promise<void> {
    if (hold.isEnding) return
    hold.isEnding = true
    if (how !== 'error') await hold.tenure?.finish(this.#options.tools.graceMs)
    if (!this.#isStopping) await this.#unlock(hold, how)
  }

  async #unlock(hold: LeaseHold, how: EndOfTerm): Promise<void> {
    const { name } = hold.chore
    if (this.#held.get(name) !== hold) return
    const { tools } = this.#options
    this.#held.delete(name)
    hold.end()
    try {
      if (this.#client !== undefined) {
        await tools.verbs.unlockChore(this.#client, tools.worker, name, how)
      }
    } catch {
      // Without its session the lock is gone in any case.
      this.#loseSession()
    }
    tools.log.info({ chore: name, term: String(hold.term), how }, 'leads a chore no longer')
  }

  #loseSession(): void {
    const client = this.#client
    this.#client = undefined
    void client?.end().catch(() => {})
    for (const hold of this.#held.values()) this.#lose(hold, 'its session is gone')
    this.#bell.ring()
  }

  #lose(hold: LeaseHold, reason: string): void {
    const { name } = hold.chore
    if (this.#held.get(name) !== hold) return
    this.#held.delete(name)
    hold.end()
    const { log } = this.#options.tools
    log.warn({ chore: name, term: String(hold.term), reason }, 'leads a chore no longer')
  }
}
