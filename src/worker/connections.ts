import type pg from 'pg'
import { isGone, isReadOnly } from '../db/gone.ts'
import { cutOff, hangUp } from '../db/hang-up.ts'
import type { Queryable } from '../db/queryable.ts'
import { ServerClient, type ServerConfig } from '../db/server-client.js'
import type { Availability } from './availability.ts'
import { Lending } from './lending.ts'

/** What a connection is for. Each has one of its own, so that no work waits for another kind. */
export type Purpose = 'claim' | 'sweep' | 'report' | 'aside' | 'lead'

/** Who renews leadership must not wait for long: trust in the last renewal runs out meanwhile. */
const patienceMs: Partial<Record<Purpose, number>> = { lead: 3_000 }
/** Reports do not wait for a row that another transaction holds, because all later ones would wait with them. */
const lockTimeoutMs: Partial<Record<Purpose, number>> = { report: 1_000, aside: 100 }
/** Runs of chores that reach for the database at once; the others wait. */
const mostChores = 4

/**
 * The connections of a worker: one per purpose, opened when first needed and again after a loss, and
 * a few more for what handlers do. A loss is thrown to whoever asked; coming back is asking again.
 */
export class Connections {
  readonly #config: () => ServerConfig
  readonly #availability: Availability
  readonly #clients = new Map<Purpose, pg.Client>()
  readonly #forHandlers: Lending
  readonly #forChores: Lending
  #isClosed: boolean = false

  constructor(config: () => ServerConfig, availability: Availability, mostBorrowed: number) {
    this.#config = config
    this.#availability = availability
    this.#forHandlers = new Lending(config, mostBorrowed)
    this.#forChores = new Lending(config, mostChores)
  }

  /** Runs work on the connection for this purpose; the caller sees to it that nothing else does. */
  on<T>(purpose: Purpose, work: (db: Queryable) => Promise<T>): Promise<T> {
    return this.#watched(async () => {
      const client = await this.#client(purpose)
      try {
        return await work(client)
      } catch (error) {
        if (isGone(error)) this.#drop(purpose, client)
        throw error
      }
    })
  }

  /** Runs work on a connection that nobody else has meanwhile. */
  borrow<T>(work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.#watched(() => this.#forHandlers.lend(work))
  }

  /** The same for a chore, from connections that handlers cannot use up; it is cut when the signal aborts. */
  lend<T>(signal: AbortSignal, work: (db: Queryable) => Promise<T>): Promise<T> {
    return this.#watched(() => this.#forChores.lend(work, signal))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const clients = [...this.#clients.values()]
    this.#clients.clear()
    await Promise.all([...clients.map(hangUp), this.#forHandlers.close(), this.#forChores.close()])
  }

  async #watched<T>(work: () => Promise<T>): Promise<T> {
    try {
      const answer = await work()
      this.#availability.back()
      return answer
    } catch (error) {
      if (isGone(error)) {
        this.#availability.lost(error)
        if (isReadOnly(error)) this.#dropAll()
      }
      throw error
    }
  }

  async #client(purpose: Purpose): Promise<pg.Client> {
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
      cutOff(client)
      throw error
    }
    if (this.#isClosed) {
      cutOff(client)
      throw new Error('connection ended')
    }
    const other = this.#clients.get(purpose)
    if (other !== undefined) {
      // Two asked while there was none: the second to be there is not needed.
      cutOff(client)
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
    const patience = patienceMs[purpose] ?? Number(config.query_timeout ?? 0)
    if (patience === 0) return config
    const session = { ...config.session, statement_timeout: String(Math.round(patience * 0.8)) }
    return {
      ...config,
      session,
      query_timeout: patience,
      ...(patienceMs[purpose] === undefined ? {} : { connectionTimeoutMillis: patience }),
    }
  }

  #drop(purpose: Purpose, client: pg.Client): void {
    if (this.#clients.get(purpose) === client) this.#clients.delete(purpose)
    cutOff(client)
  }

  #dropAll(): void {
    for (const [purpose, client] of this.#clients) this.#drop(purpose, client)
    this.#forHandlers.renew()
    this.#forChores.renew()
  }
}
