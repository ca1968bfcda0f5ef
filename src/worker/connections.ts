import pg from 'pg'
import { isGone, isReadOnly } from '../db/gone.ts'
import type { Queryable } from '../db/queryable.ts'
import type { Availability } from './availability.ts'

/** What a connection is for. Each has one of its own, so that no work waits for another kind. */
export type Purpose = 'claim' | 'sweep' | 'report' | 'lead'

/** Who renews leadership must not wait for long: trust in the last renewal runs out meanwhile. */
const patienceMs: Partial<Record<Purpose, number>> = { lead: 3_000 }
/** Runs of chores that reach for the database at once; the others wait. */
const mostChores = 4

/**
 * The connections of a worker: one per purpose, opened when first needed and again after a loss, and
 * a few more for what handlers do. A loss is thrown to whoever asked; coming back is asking again.
 */
export class Connections {
  readonly #config: () => pg.ClientConfig
  readonly #availability: Availability
  readonly #clients = new Map<Purpose, pg.Client>()
  readonly #poolSize: number
  #pool: pg.Pool | undefined
  #chorePool: pg.Pool | undefined
  #isClosed: boolean = false

  constructor(config: () => pg.ClientConfig, availability: Availability, poolSize: number) {
    this.#config = config
    this.#availability = availability
    this.#poolSize = poolSize
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
    return this.#watched(async () => {
      this.#pool ??= this.#openPool(this.#poolSize)
      const client = await this.#pool.connect()
      let failure: unknown
      try {
        return await work(client)
      } catch (error) {
        failure = error
        throw error
      } finally {
        client.release(failure !== undefined && isGone(failure))
      }
    })
  }

  /** The same for a chore, from connections that handlers cannot use up; it is cut when the signal aborts. */
  lend<T>(signal: AbortSignal, work: (db: Queryable) => Promise<T>): Promise<T> {
    return this.#watched(async () => {
      signal.throwIfAborted()
      this.#chorePool ??= this.#openPool(mostChores)
      const client = await this.#chorePool.connect()
      let isBack = false
      const giveBack = (isBroken: boolean) => {
        if (!isBack) client.release(isBroken)
        isBack = true
      }
      const cut = () => giveBack(true)
      signal.addEventListener('abort', cut, { once: true })
      try {
        signal.throwIfAborted()
        const answer = await work(client)
        giveBack(false)
        return answer
      } catch (error) {
        giveBack(isGone(error))
        throw error
      } finally {
        signal.removeEventListener('abort', cut)
      }
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const clients = [...this.#clients.values()]
    this.#clients.clear()
    const pools = [this.#pool, this.#chorePool]
    this.#pool = undefined
    this.#chorePool = undefined
    await Promise.all([
      ...clients.map((client) => client.end().catch(() => {})),
      ...pools.map((pool) => pool?.end()),
    ])
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
    const patience = patienceMs[purpose]
    const client = new pg.Client({
      ...this.#config(),
      ...(patience === undefined
        ? {}
        : { query_timeout: patience, connectionTimeoutMillis: patience }),
    })
    const drop = () => this.#drop(purpose, client)
    // Before connect(): a connection may be lost at any time, and an unheard error ends the process.
    client.on('error', drop)
    client.on('end', drop)
    try {
      await client.connect()
    } catch (error) {
      destroy(client)
      throw error
    }
    if (this.#isClosed) {
      destroy(client)
      throw new Error('connection ended')
    }
    const other = this.#clients.get(purpose)
    if (other !== undefined) {
      // Two asked while there was none: the second to be there is not needed.
      destroy(client)
      return other
    }
    this.#clients.set(purpose, client)
    return client
  }

  #drop(purpose: Purpose, client: pg.Client): void {
    if (this.#clients.get(purpose) === client) this.#clients.delete(purpose)
    destroy(client)
  }

  #dropAll(): void {
    for (const [purpose, client] of this.#clients) this.#drop(purpose, client)
    for (const pool of [this.#pool, this.#chorePool]) void pool?.end().catch(() => {})
    this.#pool = undefined
    this.#chorePool = undefined
  }

  #openPool(size: number): pg.Pool {
    const { query_timeout: _, ...config } = this.#config()
    const pool = new pg.Pool({ ...config, max: size, idleTimeoutMillis: 10_000 })
    pool.on('error', () => {})
    // A backend that dies is no news yet: the next statement will say so. The pool itself leaves a client
    // without an ear for a moment when it hands it out, and an unheard error ends the process.
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }
}

/** At once: saying goodbye to a server that does not answer takes for ever. */
function destroy(client: pg.Client): void {
  void client.end().catch(() => {})
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } }
  connection?.stream?.destroy()
}
