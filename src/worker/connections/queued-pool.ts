import type pg from 'pg'
import { closeConnection } from '../../db/close-connection.ts'
import { isConnectionLost } from '../../db/connection-errors.ts'
import { openPool } from '../../db/open-pool.ts'
import type { ServerConfig } from '../../db/server-client.js'

/**
 * Connections that are lent out, so many at once; further callers wait for as long as it takes, in order.
 * The driver's pool would turn those away after the time that a connection may take to open.
 */
export class QueuedPool {
  readonly #config: () => ServerConfig
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  readonly #open = new Set<pg.PoolClient>()
  readonly #cuts = new Set<() => void>()
  #lent = 0
  #pool: pg.Pool | undefined
  #isClosed: boolean = false

  constructor(config: () => ServerConfig, most: number) {
    this.#config = config
    this.#most = most
  }

  /** Runs work on a connection that no other code has meanwhile; it is cut when the signal aborts. */
  async lend<T>(work: (db: pg.PoolClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#turn()
    const client = await this.#connect(signal).catch((error: unknown) => {
      this.#next()
      throw error
    })
    let isBack = false
    const giveBack = (isBroken: boolean) => {
      if (isBack) return
      isBack = true
      client.release(isBroken)
      this.#next()
    }
    const cut = () => giveBack(true)
    this.#cuts.add(cut)
    signal?.addEventListener('abort', cut, { once: true })
    try {
      const answer = await work(client)
      giveBack(false)
      return answer
    } catch (error) {
      giveBack(isConnectionLost(error))
      throw error
    } finally {
      this.#cuts.delete(cut)
      signal?.removeEventListener('abort', cut)
    }
  }

  /** The next caller gets a new connection. */
  renew(): void {
    void this.#pool?.end().catch(() => {})
    this.#pool = undefined
  }

  /** Cuts what is lent: those who have it were given up, and may never end. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const wake of this.#waiting.splice(0)) wake()
    for (const cut of [...this.#cuts]) cut()
    this.renew()
    await Promise.all([...this.#open].map(closeConnection))
  }

  async #turn(): Promise<void> {
    if (this.#lent < this.#most || this.#isClosed) this.#lent += 1
    else await new Promise<void>((wake) => this.#waiting.push(wake))
  }

  /** Hands the turn to the next caller that waits. */
  #next(): void {
    const wake = this.#waiting.shift()
    if (wake === undefined) this.#lent -= 1
    else wake()
  }

  async #connect(signal: AbortSignal | undefined): Promise<pg.PoolClient> {
    signal?.throwIfAborted()
    if (this.#isClosed) throw new Error('connection ended')
    this.#pool ??= this.#openPool()
    const client = await this.#pool.connect()
    if (!this.#isClosed && signal?.aborted !== true) return client
    client.release(true)
    signal?.throwIfAborted()
    throw new Error('connection ended')
  }

  #openPool(): pg.Pool {
    const { query_timeout: _, ...config } = this.#config()
    const pool = openPool({ ...config, max: this.#most, idleTimeoutMillis: 10_000 })
    pool.on('connect', (client) => {
      // A backend that dies is not reported yet: the next statement will fail. The pool itself leaves a client
      // without an ear for a moment when it hands it out, and an unheard error ends the process.
      client.on('error', () => {})
      this.#open.add(client)
      client.once('end', () => this.#open.delete(client))
    })
    return pool
  }
}
