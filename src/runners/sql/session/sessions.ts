import { performance } from 'node:perf_hooks'
import type { Place } from '../connections/places.ts'
import { openSession } from './open-session.ts'
import type { Session } from './session.ts'

/** A database that sessions can be opened to. Targets with equal keys may share sessions. */
export interface Target {
  readonly key: string
  /** For operators. Undefined: the engine's own database. */
  readonly name: string | undefined
  /** Called before each connection, because passwords may change. Servers are tried in order. */
  readonly places: () => Promise<readonly Place[]>
}

/** What a task requires of its session. */
export interface SessionWish {
  /** Sessions are shared only among tasks of one scope. */
  readonly scope: string
  /** The role it runs as. Sessions are not passed from one role to another. */
  readonly role: string
  /** How long a session may be used after it was opened; 0 means not set. */
  readonly liveMs: number
  /** How many tasks a session may run; 0 means not set. */
  readonly count: number
  /** Leaves the session as it is. */
  readonly saves: boolean
}

export interface SessionsOptions {
  /** A session that is idle for this long is closed. */
  readonly idleMs: number
  /** The most idle sessions. */
  readonly mostIdle: number
}

/** The default if a task sets neither: long enough to be worth it, short enough that little accumulates. */
const usualLiveMs = 3_600_000
const usualCount = 10_000

interface Idle {
  readonly session: Session
  readonly key: string
  readonly timer: NodeJS.Timeout
}

/** The idle sessions. Each is clean, or kept for a task that wants it as it was left. */
export class Sessions {
  readonly #options: SessionsOptions
  #idle: Idle[] = []
  #isOpen: boolean = true

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** A suitable idle session, else a new one. */
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

  /** The one used last, so that the others can time out. */
  #next(target: Target, wish: SessionWish): Session | undefined {
    const key = keyOf(target, wish)
    // A session with leftovers is for its own scope, not for tasks that asked for no scope.
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
 * Cleaning removes what Postgres knows about. Extensions and languages keep more in a session, such as the connections
 * of dblink or the variables of PL/Perl. So no other role gets the session.
 */
function keyOf({ key }: Target, { scope, role }: SessionWish): string {
  return JSON.stringify([key, scope, role])
}

/** Both limits if both are set, else the one that is set, else the defaults. */
function isWithin({ executed, bornMs }: Session, { liveMs, count }: SessionWish): boolean {
  const isYoung = performance.now() - bornMs < (liveMs || usualLiveMs)
  const isFresh = executed < (count || usualCount)
  return isYoung && isFresh
}
