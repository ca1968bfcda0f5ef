import type { Queryable } from '../db/queryable.ts'
import { call } from './call.ts'
import type { Json } from './task.ts'

/** One action in the audit log: who did it, and what it changed. */
export interface AuditEntry {
  readonly id: string
  readonly at: Date
  readonly actor: string
  readonly door: string | null
  readonly token: string | null
  readonly token_name: string | null
  readonly address: string | null
  readonly request: string | null
  /** The Postgres login. The fields below are what the program behind that login reported about its caller. */
  readonly login: string
  /** The verb, such as `cancel`. */
  readonly action: string
  /** What the verb was applied to: `task 42`, `queue mail`, `token 7`. */
  readonly object: string
  readonly before: Json
  readonly after: Json
}

/** Which entries to read: those that match all conditions, the newest first. */
export interface AuditPage {
  /** Only entries older than this one: the id of the last entry of the previous page. */
  readonly before?: string | undefined
  readonly limit?: number | undefined
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly object?: string | undefined
}

/** Reads the audit log. */
export function auditing(schema: string) {
  return {
    auditEntries: (db: Queryable, { before, limit, actor, action, object }: AuditPage = {}) =>
      call<AuditEntry>(
        db,
        `select *
         from ${schema}.audit_entry
         where ($1::bigint is null or id < $1) and ($3::text is null or actor = $3)
           and ($4::text is null or action = $4) and ($5::text is null or object = $5)
         order by id desc
         limit $2`,
        [before ?? null, limit ?? 100, actor ?? null, action ?? null, object ?? null],
      ),
  }
}
