import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import { closeConnection, destroyConnection } from '../../db/close-connection.ts'
import { isConnectionLost, isReadOnlyError } from '../../db/connection-errors.ts'
import { withNames } from '../../db/named-statements.ts'
import type { Queryable } from '../../db/queryable.ts'
import { ServerClient, type ServerConfig } from '../../db/server-client.js'
import type { Availability } from './availability.ts'
import { QueuedPool } from './queued-pool.ts'

/** What a connection is for. Each has one of its own, so that no work waits for another kind. */
export type Purpose = 'claim' | 'scan' | 'report' | 'aside' | 'lead' | 'chore'

/** Who renews leadership must not wait for long: trust in the last renewal runs out meanwhile. */
const leadPatienceMs = 3_000
/** Reports do not wait for a row that another transaction holds, because all later ones would wait with them. */
const lockTimeoutMs: Partial<Record<Purpose, number>> = { report: 1_000, aside: 100 }
/** Runs of chores that reach for the database at once; the others wait. */
const mostChores = 4
/** A connection that was not used for so long is closed; the one for claims stays, for what an idle worker does. */
const idleMs: Readonly<Record<Purpose, number>> = {
  claim: Number.POSITIVE_INFINITY,
  scan: 10_000,
  report: 10_000,
  aside: 10_000,
  lead: 5_000,
  chore: 10_000,
}
/** The server ends a statement when so much of the time for it is over: before it is given up here. */
const shareForServer = 0.8

export interface ConnectionLimits {
  /** How many handlers reach for the database at once. */
  readonly mostBorrowed: number
  /** How long the server works on a statement of once(). */
  readonly onceMs: number
}

/**
 * The connections of a worker: one per purpose, opened when first needed and again after a loss, and
 * a few more for what handlers do. A loss is thrown to the caller, which asks again to reconnect.
 *
 * An idle worker keeps one: what is rare, such as a look at who leads, uses the connection for claims
 * while that has nothing to do. A leader renews more often, and has a connection for that.
 */
export class Connections {
  readonly #config: () => ServerConfig
  readonly #availability: Availability
  readonly #clients = new Map<Purpose, ServerClient>()
  /** How much is under way on each, and when it was last used. */
  readonly #uses = new Map<Purpose, number>()
  readonly #usedMs = new Map<Purpose, number>()
  readonly #closing = new Map<Purpose, NodeJS.Timeout>()
  readonly #forHandlers: QueuedPool
  readonly #forChores: QueuedPool
  /** How long an answer is waited for, where not as long as the configuration says. */
  readonly #patienceMs: Partial<Record<Purpose, number>>
  #isClosed: boolean = false
  /** A pooler gives each statement to another session, so what is set for ours does not last. */
  #isPooled: boolean = false

  constructor(
    config: () => ServerConfig,
    availability: Availability,
    { mostBorrowed, onceMs }: ConnectionLimits,
  ) {
    this.#config = config
    this.#availability = availability
    this.#patienceMs = { lead: leadPatienceMs, chore: onceMs / shareForServer }
    this.#forHandlers = new QueuedPool(config, mostBorrowed)
    this.#forChores = new QueuedPool(config, mostChores)
  }

  /** Runs work on the connection for this purpose; the caller sees to it that nothing else does. */
  on<T>(asked: Purpose, work: (db: Queryable) => Promise<T>): Promise<T> {
    const purpose = asked === 'lead' && this.#mayShare(asked) ? 'claim' : asked
    this.#usedMs.set(asked, performance.now())
    return this.#watched(() => this.#use(purpose, (client) => work(withNames(client))))
  }

  /**
   * Runs a statement that is rare and short: on the connection for claims if that has nothing to do, else
   * as lend() does.
   */
  share<T>(signal: AbortSignal, work: (db: Queryable) => Promise<T>): Promise<T> {
    if (!this.#isFree('claim')) return this.lend(signal, work)
    return this.#watched(() => this.#use('claim', work))
  }

  /**
   * Runs one statement of a chore, which the server ends within `onceMs`; it is cut when the signal aborts. Undefined if
   * another is under way, or if a pooler forgets how long a statement may take.
   */
  async once<T extends object>(
    signal: AbortSignal,
    work: (db: Queryable) => Promise<T>,
  ): Promise<T | undefined> {
    if (this.#isPooled || (this.#uses.get('chore') ?? 0) > 0) return undefined
    return this.#watched(() =>
      this.#use('chore', async (client) => {
        this.#isPooled = !client.keepsSession
        if (this.#isPooled) return undefined
        signal.throwIfAborted()
        const cut = () => this.#drop('chore', client)
        signal.addEventListener('abort', cut, { once: true })
        try {
          return await work(client)
        } finally {
          signal.removeEventListener('abort', cut)
        }
      }),
    )
  }

  /** Runs work on a connection that no other code has meanwhile. */
  borrow<T>(work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.#watched(() => this.#forHandlers.lend(work))
  }

  /** The same for a chore, from connections that handlers cannot use up; it is cut when the signal aborts. */
  lend<T>(signal: AbortSignal, work: (db: Queryable) => Promise<T>): Promise<T> {
    return this.#watched(() => this.#forChores.lend(work, signal))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#closing.values()) clearTimeout(timer)
    const clients = [...this.#clients.values()]
    this.#clients.clear()
    await Promise.all([
      ...clients.map(closeConnection),
      this.#forHandlers.close(),
      this.#forChores.close(),
    ])
  }

  /** It has no connection, was not used lately, and the one for claims has nothing to do. */
  #mayShare(purpose: Purpose): boolean {
    const usedMs = this.#usedMs.get(purpose)
    if (usedMs === undefined || performance.now() - usedMs < idleMs[purpose]) return false
    return !this.#clients.has(purpose) && this.#isFree('claim')
  }

  #isFree(purpose: Purpose): boolean {
    return this.#clients.has(purpose) && (this.#uses.get(purpose) ?? 0) === 0
  }

  async #use<T>(purpose: Purpose, work: (db: ServerClient) => Promise<T>): Promise<T> {
    this.#uses.set(purpose, (this.#uses.get(purpose) ?? 0) + 1)
    clearTimeout(this.#closing.get(purpose))
    try {
      const client = await this.#client(purpose)
      try {
        return await work(client)
      } catch (error) {
        if (isConnectionLost(error)) this.#drop(purpose, client)
        throw error
      }
    } finally {
      this.#uses.set(purpose, (this.#uses.get(purpose) ?? 1) - 1)
      this.#closeLater(purpose)
    }
  }

  #closeLater(purpose: Purpose): void {
    if (this.#uses.get(purpose) !== 0 || this.#isClosed || idleMs[purpose] === Infinity) return
    const close = () => {
      const client = this.#clients.get(purpose)
      this.#clients.delete(purpose)
      if (client !== undefined) void closeConnection(client)
    }
    this.#closing.set(purpose, setTimeout(close, idleMs[purpose]).unref())
  }

  async #watched<T>(work: () => Promise<T>): Promise<T> {
    try {
      const answer = await work()
      this.#availability.back()
      return answer
    } catch (error) {
      if (isConnectionLost(error)) {
        this.#availability.lost(error)
        if (isReadOnlyError(error)) this.#dropAll()
      }
      throw error
    }
  }

  async #client(purpose: Purpose): Promise<ServerClient> {
    const open = this.#clients.get(purpose)
    if (open !== undefined) return open
    const client = new ServerClient(this.#configFor(purpose))
    const drop = () => this.#drop(purpose, client)
    // Before connect(): a connection may be lost at any time, and an unheard error ends the process.
    client.on('error', drop)
    client.on('end', drop)
    try {
      await client.connect()
    } catch (error) {
      destroyConnection(client)
      throw error
    }
    if (this.#isClosed) {
      destroyConnection(client)
      throw new Error('connection ended')
    }
    const other = this.#clients.get(purpose)
    if (other !== undefined) {
      // Two asked while there was none: the second to be there is not needed.
      destroyConnection(client)
      return other
    }
    this.#clients.set(purpose, client)
    return client
  }

  /** The server gives up before we do: a claim that no caller waits for any more must not take effect. */
  #configFor(purpose: Purpose): ServerConfig {
    const lockTimeout = lockTimeoutMs[purpose]
    const given = this.#config()
    const config: ServerConfig =
      lockTimeout === undefined
        ? given
        : { ...given, session: { ...given.session, lock_timeout: String(lockTimeout) } }
    const patience = this.#patienceMs[purpose] ?? Number(config.query_timeout ?? 0)
    if (patience === 0) return config
    const serverMs = Math.round(patience * shareForServer)
    return {
      ...config,
      session: { ...config.session, statement_timeout: String(serverMs) },
      query_timeout: patience,
      ...(this.#patienceMs[purpose] === undefined ? {} : { connectionTimeoutMillis: patience }),
    }
  }

  #drop(purpose: Purpose, client: pg.Client): void {
    if (this.#clients.get(purpose) === client) this.#clients.delete(purpose)
    destroyConnection(client)
  }

  #dropAll(): void {
    for (const [purpose, client] of this.#clients) this.#drop(purpose, client)
    this.#forHandlers.renew()
    this.#forChores.renew()
  }
}
