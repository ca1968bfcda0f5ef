import type { Queryable } from '../db/queryable.ts'

/**
 * Lets one edit of a thing at a time compare its ETag and write, until the end of the transaction.
 * Only for those that bring If-Match: what others do in between is seen as far as it is committed.
 */
export async function lockForEdit(db: Queryable, schema: string, thing: string): Promise<void> {
  await db.query('select pg_advisory_xact_lock(hashtext($1), hashtext($2))', [
    `${schema} http`,
    thing,
  ])
}
