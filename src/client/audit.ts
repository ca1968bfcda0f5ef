import type { Queryable } from '../db/queryable.ts'
import type { AuditPage, AuditEntry as AuditRow } from '../engine/auditing.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type CamelCase, camelCase } from '../lib/casing.ts'
import type { On } from './on.ts'

/** What somebody did, and what it changed. */
export interface AuditEntry extends CamelCase<AuditRow> {}

/** Who did what, when and from where: `tusk.audit`. */
export class TuskAudit {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * What people did, the newest first, a page at a time.
   *
   * @example
   * ```ts
   * const entries = await tusk.audit.list({ object: 'queue mail', limit: 20 })
   * ```
   */
  async list({ on = this.#db, ...page }: AuditPage & On = {}): Promise<AuditEntry[]> {
    return (await this.#verbs.auditEntries(on, page)).map(camelCase)
  }
}
