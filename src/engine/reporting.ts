import type { Queryable } from '../db/queryable.ts'
import { parseTime } from '../db/row-types.ts'
import { call, callOne } from './call.ts'
import type { Pack } from './claim-batch.ts'
import type { Ended, FailOptions, Held } from './outcomes.ts'
import { toPacks } from './packs.ts'
import type { Json } from './task.ts'

/** A success, its output as JSON. The time of the start is the database's; null: when it was claimed. */
export interface Success extends Held {
  readonly output: string | null
  readonly startedAt: string | null
  /** The pack it was claimed in. If all tasks of it follow one another in a report, they are told as one. */
  readonly pack?: Pack | undefined
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

/** Read after the verb of the same statement has run: unpark_tasks() sets it for the transaction. */
const handsOn = `coalesce(current_setting('tusk.hands_on', true) = 'yes', false) as hands_on`

/** What became of a report of many ends. */
export interface Reported {
  /** Those that were still the teller's to end. */
  readonly accepted: Pick<ReadonlySet<string>, 'has'>
  /** Slots of groups were handed on: tasks that waited for them can be claimed now. */
  readonly handsOn: boolean
  /** What became of attempts that did not succeed, by the id of their task. */
  readonly answers?: ReadonlyMap<string, Ended>
}

interface FailedRow {
  readonly ids: readonly string[]
  readonly states: readonly Ended['state'][]
  readonly times: readonly (string | null)[]
  readonly hands_on: boolean
}

/** Telling of many ends at once. */
export function reporting(schema: string) {
  return {
    async reportDone(db: Queryable, ends: readonly Success[]): Promise<Reported> {
      const text = `select string_agg(id::text, ',') as lost, ${handsOn}
                    from ${schema}.complete_packs($1, $2, $3, $4::jsonb[], $5::timestamptz[]) as ended (id)`
      const packs = toPacks(ends)
      const { lost, hands_on } = await callOne<{ lost: string | null; hands_on: boolean }>(
        db,
        text,
        [
          literal(packs.map(({ id }) => id)),
          literal(packs.map(({ size }) => size)),
          literal(packs.map(({ claim }) => claim)),
          unlessEmpty(packs.map(({ output }) => output)),
          unlessEmpty(packs.map(({ startedAt }) => startedAt)),
        ],
      )
      const without = new Set(lost?.split(','))
      return { accepted: { has: (id) => !without.has(id) }, handsOn: hands_on }
    },
    async reportFailed(db: Queryable, ends: readonly Failure[]): Promise<Reported> {
      const text = `select coalesce(array_agg(id::text), '{}') as ids,
          coalesce(array_agg(state), '{}') as states, coalesce(array_agg(run_at::text), '{}') as times, ${handsOn}
        from ${schema}.fail_many(
          $1, $2, $3::jsonb[], $4::text[], $5::boolean[], $6::interval[], $7::timestamptz[])`
      const { ids, states, times, hands_on } = await callOne<FailedRow>(db, text, [
        ...idsAndClaims(ends),
        ends.map(({ error }) => error),
        ends.map(({ reason }) => reason),
        ends.map(({ retry }) => retry),
        unlessEmpty(ends.map(({ delay }) => delay)),
        unlessEmpty(ends.map(({ startedAt }) => startedAt)),
      ])
      const answers = ids.map((id, at): [string, Ended] => {
        const time = times[at] ?? null
        return [
          id,
          { state: states[at] ?? 'queued', run_at: time === null ? null : parseTime(time) },
        ]
      })
      return { accepted: new Set(ids), handsOn: hands_on, answers: new Map(answers) }
    },
    /** What became of each; those that were no longer held do not come back. */
    failMany: (db: Queryable, failed: readonly FailedAttempt[]) =>
      call<Ended & { readonly id: string }>(
        db,
        `select id, state, run_at
         from ${schema}.fail_many($1, $2, $3::jsonb[], $4::text[], $5::boolean[], $6::interval[])`,
        [
          ...idsAndClaims(failed),
          failed.map(({ error = null }) => (error === null ? null : JSON.stringify(error))),
          failed.map(({ reason = 'error' }) => reason),
          failed.map(({ retry = true }) => retry),
          failed.map(({ delay = null }) => delay),
        ],
      ),
  }
}

/** Ids are digits: a literal made by hand saves the driver from quoting each of them. */
function literal(numbers: readonly (string | number)[]): string {
  return `{${numbers.join(',')}}`
}

function idsAndClaims(held: readonly Held[]): [string, string] {
  return [literal(held.map(({ id }) => id)), literal(held.map(({ claim }) => claim))]
}

function unlessEmpty(values: readonly (string | null)[]): readonly (string | null)[] | null {
  return values.some((value) => value !== null) ? values : null
}
