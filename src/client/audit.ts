import type { Queryable } from '../db/queryable.ts'
import type { AuditPage, AuditEntry as AuditRow } from '../engine/auditing.ts'
import type { Verbs } from '../engine/verbs.ts'
import { type CamelCase, camelCase } from '../lib/casing.ts'
import type { On } from './on.ts'

/** One action in the audit log: who did it, and what it changed. */
export interface AuditEntry extends CamelCase<AuditRow> {}

/** The audit log: who did what, when and from where. Available as `tusk.audit`. */
export class TuskAudit {
  readonly #verbs: Verbs
  readonly #db: Queryable

  constructor(verbs: Verbs, db: Queryable) {
    this.#verbs = verbs
    this.#db = db
  }

  /**
   * Lists actions, the newest first, a page at a time.
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
