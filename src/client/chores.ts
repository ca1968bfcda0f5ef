import type { Queryable } from '../db/queryable.ts'
import type { ChoreStats as ChoreRow, Leader as LeaderRow } from '../engine/leading.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type CamelCase, camelCase } from '../lib/casing.ts'
import type { On } from './on.ts'

/** How a chore goes, and what is wrong with it. */
export interface ChoreStats extends CamelCase<ChoreRow> {}

/** Which worker does a chore now. */
export interface Leader extends CamelCase<LeaderRow> {}

/** Periodic housekeeping, and which worker does it: `tusk.chores`. */
export class TuskChores {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Every chore: when it ran, how often it failed, and whether something is wrong with it.
   *
   * @example
   * ```ts
   * const alerts = (await tusk.chores.list()).filter(({ alert }) => alert !== null)
   * ```
   */
  async list({ on = this.#db }: On = {}): Promise<ChoreStats[]> {
    return (await this.#verbs.choreStats(on)).map(camelCase)
  }

  /** Which worker does which chore now, whatever the strategy. */
  async leaders({ on = this.#db }: On = {}): Promise<Leader[]> {
    return (await this.#verbs.leaders(on)).map(camelCase)
  }

  /** Asks the leader of a chore to hand it over to another worker. Returns the leader's id, or null if there is none. */
  resign(chore: string, { on = this.#db }: On = {}): Promise<string | null> {
    return this.#verbs.resign(on, chore)
  }
}
