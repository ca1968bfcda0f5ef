import type { Queryable } from '../db/queryable.ts'
import type { ChoreStats as ChoreRow, Leader as LeaderRow } from '../engine/leading.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type CamelCase, camelCase } from '../lib/casing.ts'
import type { On } from './on.ts'

/** The statistics of a chore, and its alert if something is wrong. */
export interface ChoreStats extends CamelCase<ChoreRow> {}

/** Which worker runs a chore now. */
export interface Leader extends CamelCase<LeaderRow> {}

/** Periodic maintenance, and which worker does it. Available as `tusk.chores`. */
export class TuskChores {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Lists all chores: when each ran, how often it failed, and its alert if something is wrong.
   *
   * @example
   * ```ts
   * const alerts = (await tusk.chores.list()).filter(({ alert }) => alert !== null)
   * ```
   */
  async list({ on = this.#db }: On = {}): Promise<ChoreStats[]> {
    return (await this.#verbs.choreStats(on)).map(camelCase)
  }

  /** Lists which worker runs which chore now, whatever the strategy. */
  async leaders({ on = this.#db }: On = {}): Promise<Leader[]> {
    return (await this.#verbs.leaders(on)).map(camelCase)
  }

  /** Asks the leader of a chore to hand it over to another worker. Returns the leader's id, or null if there is none. */
  resign(chore: string, { on = this.#db }: On = {}): Promise<string | null> {
    return this.#verbs.resign(on, chore)
  }
}
