import type pg from 'pg'

/** As a session is when it begins, but for what it has compiled and planned; discard all would drop that too. */
const asNew = `close all; set session authorization default; reset all; unlisten *; discard temp; discard sequences;
  select pg_advisory_unlock_all()`

/**
 * One pool for all tests of a file: a new session compiles and plans whatever it calls, which takes
 * longer than most tests do. A pool that a test has ended, or kept a client of, is replaced.
 */
export class Sessions {
  readonly #open: () => pg.Pool
  #pool: pg.Pool | undefined

  constructor(open: () => pg.Pool) {
    this.#open = open
  }

  async lend(): Promise<pg.Pool> {
    if (this.#pool !== undefined && !(await isAsNew(this.#pool))) await this.end()
    this.#pool ??= this.#open()
    return this.#pool
  }

  async end(): Promise<void> {
    const pool = this.#pool
    this.#pool = undefined
    if (pool !== undefined && !pool.ending) await pool.end()
  }
}

async function isAsNew(pool: pg.Pool): Promise<boolean> {
  if (pool.ending || pool.idleCount < pool.totalCount) return false
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  const resets = await Promise.allSettled(clients.map((client) => client.query(asNew)))
  const isReset = resets.every(({ status }) => status === 'fulfilled')
  for (const client of clients) client.release(!isReset)
  return isReset
}
