import type { Queryable } from '../db/queryable.ts'
import type { AuditEntry, AuditPage } from '../engine/auditing.ts'
import type { Verbs } from '../engine/verbs.ts'
import { Bulk } from './bulk.ts'
import { Grants } from './grants.ts'
import type { On } from './operations.ts'
import { Tokens } from './tokens.ts'

/** What those do who look after a server: tokens, grants, and who did what. */
export class Administering extends Bulk {
  /** The tokens by which people and programs come in over the network. */
  readonly tokens: Tokens
  /** Which roles of the database may use which queues. */
  readonly grants: Grants

  constructor(verbs: Verbs, db: Queryable) {
    super(verbs, db)
    this.tokens = new Tokens(verbs, db)
    this.grants = new Grants(verbs, db)
  }

  /**
   * What people did, the newest first, a page at a time.
   *
   * @example
   * ```ts
   * const entries = await tusk.audit({ object: 'queue mail', limit: 20 })
   * ```
   */
  audit(page: AuditPage = {}, { on = this.db }: On = {}): Promise<AuditEntry[]> {
    return this.verbs.auditEntries(on, page)
  }
}
