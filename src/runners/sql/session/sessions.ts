import { performance } from 'node:perf_hooks'
import type { Place } from '../connections/places.ts'
import { openSession } from './open-session.ts'
import type { Session } from './session.ts'

/** A database that sessions can be opened to; equal keys mean that they may be shared. */
export interface Target {
  readonly key: string
  /** For people who look on; undefined: the engine's own database. */
  readonly name: string | undefined
  /** Asked before each connection: passwords may change. Servers are tried in their order. */
  readonly places: () => Promise<readonly Place[]>
}

/** What a task wants of its session. */
export interface SessionWish {
  /** Sessions are shared among tasks of one scope only. */
  readonly scope: string
  /** The role it runs as: sessions are not passed from one role to another. */
  readonly role: string
  /** Since its birth, a session may be used for so long; 0: nothing is said. */
  readonly liveMs: number
  /** A session may run so many tasks; 0: nothing is said. */
  readonly count: number
  /** Leaves it as it is. */
  readonly saves: boolean
}

export interface SessionsOptions {
  /** A session that nobody uses is closed after this time. */
  readonly idleMs: number
  /** So many wait for work at most. */
  readonly mostIdle: number
}

/** Where a task says neither: long enough to be worth it, short enough that nothing piles up. */
const usualLiveMs = 3_600_000
const usualCount = 10_000

interface Idle {
  readonly session: Session
  readonly key: string
  readonly timer: NodeJS.Timeout
}

/** The sessions that wait for their next task. Each is clean, or kept for whoever wants it as it was left. */
export class Sessions {
  readonly #options: SessionsOptions
  #idle: Idle[] = []
  #isOpen: boolean = true

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** One that waits, if it suits, else a new one. */
  async take(target: Target, wish: SessionWish): Promise<Session> {
    for (let session = this.#next(target, wish); session !== undefined; ) {
      if (await session.isUpToDate()) return session
      session.close()
      session = this.#next(target, wish)
    }
    return openSession(await target.places())
  }

  give(session: Session, target: Target, wish: SessionWish): void {
    session.isSaved = wish.saves
    if (!this.#isOpen || session.isSpent || !isWithin(session, wish)) {
      session.close()
      return
    }
    const key = keyOf(target, wish)
    const timer = setTimeout(() => this.#drop(session), this.#options.idleMs).unref()
    this.#idle.push({ session, key, timer })
    const [oldest] = this.#idle
    if (this.#idle.length > this.#options.mostIdle && oldest) this.#drop(oldest.session)
  }

  close(): void {
    this.#isOpen = false
    for (const { session } of [...this.#idle]) this.#drop(session)
  }

  /** The one used last: the others may then come to rest. */
  #next(target: Target, wish: SessionWish): Session | undefined {
    const key = keyOf(target, wish)
    // What a session was left with is for its own scope, not for whoever asked for nothing.
    const mayBeSaved = wish.saves || wish.scope !== ''
    const suits = ({ key: own, session: { isSaved } }: Idle) =>
      own === key && (!isSaved || mayBeSaved)
    for (let at = this.#idle.findLastIndex(suits); at >= 0; at = this.#idle.findLastIndex(suits)) {
      const [found] = this.#idle.splice(at, 1)
      if (found === undefined) return undefined
      clearTimeout(found.timer)
      if (!found.session.isSpent && isWithin(found.session, wish)) return found.session
      found.session.close()
    }
    return undefined
  }

  #drop(session: Session): void {
    const at = this.#idle.findIndex((idle) => idle.session === session)
    if (at < 0) return
    clearTimeout(this.#idle[at]?.timer)
    this.#idle.splice(at, 1)
    session.close()
  }
}

/**
 * Cleaning takes away what Postgres knows of. Extensions and languages keep more in a session, such as
 * the connections of dblink or the variables of PL/Perl: no other role gets at those.
 */
function keyOf({ key }: Target, { scope, role }: SessionWish): string {
  return JSON.stringify([key, scope, role])
}

/** Both limits if both are given; else the one that is, else the usual ones. */
function isWithin({ executed, bornMs }: Session, { liveMs, count }: SessionWish): boolean {
  const isYoung = performance.now() - bornMs < (liveMs || usualLiveMs)
  const isFresh = executed < (count || usualCount)
  return isYoung && isFresh
}
