import type { Queryable } from '../db/queryable.ts'
import { call, done } from './call.ts'
import { type ClaimOptions, suited } from './claiming.ts'

/** What an executor claims from one queue. */
export interface ExecutorClaim extends Pick<ClaimOptions, 'kinds' | 'handlers' | 'versions'> {
  readonly id: string
  readonly queue: string
  readonly limit: number
  readonly host: string
  readonly version: string
}

/** Registers workers that claim through a server. */
export function registering(schema: string) {
  return {
    /** All claims belong to one executor. What it accepts from one queue is registered for all its queues. */
    registerExecutor: async (db: Queryable, claims: readonly ExecutorClaim[]): Promise<void> => {
      const [first] = claims
      if (first === undefined) return
      const text = `select ${schema}.register_worker($1, $2, $3, $4, null, $5, $6, $7, $8, $9, 'http')`
      await done(
        call(db, text, [
          first.id,
          claims.map(({ queue }) => queue),
          Math.max(...claims.map(({ limit }) => limit)),
          first.host,
          first.version,
          union(claims.map(({ kinds }) => kinds)),
          ...taken(claims),
        ]),
      )
    },
  }
}

/** The union of the lists. Null if one of them accepts anything. */
function union(lists: readonly (readonly string[] | undefined)[]): string[] | null {
  if (lists.some((list) => list === undefined)) return null
  return [...new Set(lists.flatMap((list) => list ?? []))]
}

function taken(claims: readonly ExecutorClaim[]) {
  const all = claims.map(suited)
  if (all.some(([names]) => names === null)) return [null, null, null]
  const widest = new Map<string | null, [from: number, to: number]>()
  for (const [names, from, to] of all) {
    for (const [at, name] of (names ?? []).entries()) {
      const [low, high] = widest.get(name) ?? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
      widest.set(name, [Math.min(low, from?.[at] ?? low), Math.max(high, to?.[at] ?? high)])
    }
  }
  const spans = [...widest.values()]
  return [[...widest.keys()], spans.map(([low]) => low), spans.map(([, high]) => high)]
}
