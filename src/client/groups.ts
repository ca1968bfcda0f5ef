import type { Queryable } from '../db/queryable.ts'
import type { GroupStats as StatsRow } from '../engine/measuring.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type CamelCase, camelCase } from '../lib/casing.ts'
import type { On } from './on.ts'
import { type GroupSettings, inSql } from './settings.ts'

/** The limits of a group, and how much of them is in use. */
export interface GroupStats extends CamelCase<StatsRow> {}

/** Limits and pauses of groups, whose tasks may be in any queue. Available as `tusk.groups`. */
export class TuskGroups {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Changes the limits of a group. They apply from the next claim.
   *
   * @example
   * ```ts
   * await tusk.groups.set('customer 42', { maxRunning: 2, rate: 100, rateWindow: '1 minute' })
   * ```
   */
  set(group: string, settings: GroupSettings, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.setGroup(on, group, inSql(settings))
  }

  /** Pauses a group: none of its tasks start, in any queue. Running tasks go on. */
  pause(group: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.pauseGroup(on, group)
  }

  /** Resumes a group. Its tasks can start again. */
  resume(group: string, { on = this.#db }: On = {}): Promise<void> {
    return this.#verbs.resumeGroup(on, group)
  }

  /** Lists each group with its limits and how much of them is in use. */
  async stats({ on = this.#db }: On = {}): Promise<GroupStats[]> {
    return (await this.#verbs.groupStats(on)).map(camelCase)
  }
}
