import type { Queryable } from '../db/queryable.ts'
import { call, callOne } from './call.ts'
import type { Ended, FailOptions, Held } from './settling.ts'
import type { Json } from './task.ts'

/** A success, its output as JSON. The time of the start is the database's; null: when it was claimed. */
export interface Success extends Held {
  readonly output: string | null
  readonly startedAt: string | null
}

/** An attempt that did not succeed, its error as JSON. */
export interface Failure extends Held {
  readonly error: string | null
  readonly reason: 'error' | 'timeout'
  readonly retry: boolean
  readonly delay: string | null
  readonly startedAt: string | null
}

/** The same, from those who have it as a value. */
export interface FailedAttempt extends Held, FailOptions {
  readonly error?: Json
}

/** Telling of many ends at once. Answers with those that were still the teller's to end. */
export function reporting(schema: string) {
  return {
    async reportDone(db: Queryable, ends: readonly Success[]): Promise<ReadonlySet<string>> {
      const text = `select count(*)::integer as n, string_agg(id::text, ',') as ids
                    from ${schema}.complete_many($1, $2, $3::jsonb[], $4::timestamptz[]) as ended (id)`
      const { n, ids } = await callOne<{ n: number; ids: string | null }>(db, text, [
        ...tokens(ends),
        unlessEmpty(ends.map(({ output }) => output)),
        unlessEmpty(ends.map(({ startedAt }) => startedAt)),
      ])
      // As a rule all are accepted, and nobody needs to read the list.
      return new Set(n === ends.length ? ends.map(({ id }) => id) : (ids?.split(',') ?? []))
    },
    async reportFailed(db: Queryable, ends: readonly Failure[]): Promise<ReadonlySet<string>> {
      const text = `select id from ${schema}.fail_many(
        $1, $2, $3::jsonb[], $4::text[], $5::boolean[], $6::interval[], $7::timestamptz[])`
      const rows = await call<{ id: string }>(db, text, [
        ...tokens(ends),
        ends.map(({ error }) => error),
        ends.map(({ reason }) => reason),
        ends.map(({ retry }) => retry),
        unlessEmpty(ends.map(({ delay }) => delay)),
        unlessEmpty(ends.map(({ startedAt }) => startedAt)),
      ])
      return new Set(rows.map(({ id }) => id))
    },
    /** What became of each; those that were no longer held do not come back. */
    failMany: (db: Queryable, failed: readonly FailedAttempt[]) =>
      call<Ended & { readonly id: string }>(
        db,
        `select id, state, run_at
         from ${schema}.fail_many($1, $2, $3::jsonb[], $4::text[], $5::boolean[], $6::interval[])`,
        [
          ...tokens(failed),
          failed.map(({ error = null }) => (error === null ? null : JSON.stringify(error))),
          failed.map(({ reason = 'error' }) => reason),
          failed.map(({ retry = true }) => retry),
          failed.map(({ delay = null }) => delay),
        ],
      ),
  }
}

/** Ids are digits: a literal made by hand saves the driver from quoting each of them. */
function tokens(held: readonly Held[]): [string, string] {
  return [
    `{${held.map(({ id }) => id).join(',')}}`,
    `{${held.map(({ claim }) => claim).join(',')}}`,
  ]
}

function unlessEmpty(values: readonly (string | null)[]): readonly (string | null)[] | null {
  return values.some((value) => value !== null) ? values : null
}
