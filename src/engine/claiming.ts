import type { Queryable } from '../db/queryable.ts'
import { asNumbers } from './as-numbers.ts'
import { call, ids } from './call.ts'
import type { ClaimedTask } from './task.ts'

export interface ClaimOptions {
  readonly limit?: number
  readonly worker?: string
  readonly lease?: string
  readonly kinds?: readonly string[]
  /** Only tasks of these handlers, whatever their version. Default: any handler. */
  readonly handlers?: readonly string[]
  /** For tasks without a handler, the payload versions that you can handle. Default: any version. */
  readonly versions?: readonly [from: number, to: number]
  /**
   * The most bytes of JSON that the claimed tasks may have together; at least one task is claimed. Default: no limit.
   */
  readonly bytes?: number
}

/** Intervals as text, whatever style the connection has set for them. */
const columns = `
  id, claim, attempt, max_attempts, ${asNumbers('iteration')}, priority, version, kind, queue, handler, key, groups,
  tags, parent, created_at, run_at, deadline, timeout::text, lease_expires_at, meta, payload`

/** Claims tasks, and keeps and releases claims. */
export function claiming(schema: string) {
  return {
    claim(db: Queryable, queue: string, options: ClaimOptions = {}): Promise<ClaimedTask[]> {
      const { limit = 1, worker = null, lease = '15 seconds', kinds = null, bytes } = options
      const verb = bytes === undefined ? 'claim' : 'claim_fitting'
      const text = `select ${columns}
        from ${schema}.${verb}($1, $2, p_worker => $3, p_lease => $4, p_kinds => $5, p_handlers => $6,
          p_versions_from => $7, p_versions_to => $8${bytes === undefined ? '' : ', p_bytes => $9'})`
      const given = [queue, limit, worker, lease, kinds, ...suited(options)]
      return call(db, text, bytes === undefined ? given : [...given, bytes])
    },
    /** The queue of a claim. Null after the claim has ended. */
    queueOfClaim: async (db: Queryable, claim: string): Promise<string | null> => {
      const text = `select queue from ${schema}.read_claim($1)`
      return (await call<{ queue: string }>(db, text, [claim]))[0]?.queue ?? null
    },
    extend: async (
      db: Queryable,
      claims: readonly string[],
      lease = '15 seconds',
    ): Promise<string[]> =>
      ids(await call(db, `select extend as id from ${schema}.extend($1, $2)`, [claims, lease])),
  }
}

const newest = 2 ** 31 - 1

/**
 * Which handlers the claimer has, each with its first and last version. A null handler stands for tasks without one.
 */
export function suited({
  handlers,
  versions,
}: Pick<ClaimOptions, 'handlers' | 'versions'>): readonly [
  names: (string | null)[] | null,
  from: number[] | null,
  to: number[] | null,
] {
  if (handlers === undefined && versions === undefined) return [null, null, null]
  const named = (handlers ?? []).map((name): [string | null, number, number] => [name, 0, newest])
  const all = versions === undefined ? named : [...named, [null, ...versions] as const]
  return [all.map(([name]) => name), all.map(([, from]) => from), all.map(([, , to]) => to)]
}
