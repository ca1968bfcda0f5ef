import type pg from 'pg'
import { inTransaction } from './in-transaction.ts'
import { overPool } from './on-pool.ts'
import { openPool } from './open-pool.ts'
import type { Queryable } from './queryable.ts'

/** After the statement timeout the server gets this much longer to answer. Then the connection is cut. */
const graceMs = 2_000

/**
 * A pool with a statement timeout. It is set once per connection. A pooler may reject that; then each statement sets it
 * in a transaction of its own.
 */
export class TimedPool implements Queryable {
  readonly #config: pg.PoolConfig
  readonly #timeoutMs: number
  #pool: pg.Pool
  #isTimed: boolean

  /** 0 milliseconds means no timeout. */
  constructor(config: pg.PoolConfig, timeoutMs: number) {
    this.#config = timeoutMs === 0 ? config : { ...config, query_timeout: timeoutMs + graceMs }
    this.#timeoutMs = timeoutMs
    this.#isTimed = true
    this.#pool = openPool(
      timeoutMs === 0 ? this.#config : { ...this.#config, statement_timeout: timeoutMs },
    )
  }

  async query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]) {
    if (this.#isTimed) {
      const pool = this.#pool
      try {
        return await overPool(pool).query<Row>(text, values)
      } catch (error) {
        if (!isRefused(error)) throw error
        this.#leaveUntimed(pool)
      }
    }
    return this.#timed<Row>(text, values)
  }

  end(): Promise<void> {
    return this.#pool.end()
  }

  #leaveUntimed(refused: pg.Pool): void {
    // Another connection may have been rejected at the same time.
    if (this.#pool !== refused) return
    this.#pool = openPool(this.#config)
    this.#isTimed = false
    void refused.end().catch(() => {})
  }

  #timed<Row extends object>(text: string, values?: unknown[]) {
    return inTransaction(this.#pool, async (db) => {
      await db.query(`set local statement_timeout = ${this.#timeoutMs}`)
      return db.query<Row>(text, values)
    })
  }
}

/** The words of PgBouncer. Nothing was sent yet. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && /startup parameter/.test(error.message)
}
