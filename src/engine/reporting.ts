import type { Queryable } from '../db/queryable.ts'
import { parseTime } from '../db/row-types.ts'
import { call, callOne } from './call.ts'
import type { Pack } from './claim-batch.ts'
import type { Ended, FailOptions, Held } from './outcomes.ts'
import { toPacks } from './packs.ts'
import type { Json } from './task.ts'

/**
 * A completed task, its output as JSON. The start time is by the database's clock; null means the time of the claim.
 */
export interface Success extends Held {
  readonly output: string | null
  readonly startedAt: string | null
  /** The pack it was claimed in. If all tasks of the pack follow one another in a report, they are reported as one. */
  readonly pack?: Pack | undefined
}

/** A failed attempt, its error as JSON. */
export interface Failure extends Held {
  readonly error: string | null
  readonly reason: 'error' | 'timeout'
  readonly retry: boolean
  readonly delay: string | null
  readonly startedAt: string | null
}

/** The same, with the error as a value. */
export interface FailedAttempt extends Held, FailOptions {
  readonly error?: Json
}

/** Read after the verb in the same statement has run: unpark_tasks() sets it for the transaction. */
const handsOn = `coalesce(current_setting('tusk.hands_on', true) = 'yes', false) as hands_on`

/** The result of a report on many tasks. */
export interface Reported {
  /** The tasks that the caller still held. */
  readonly accepted: Pick<ReadonlySet<string>, 'has'>
  /** Group slots became free: tasks that waited for them can be claimed now. */
  readonly handsOn: boolean
  /** The result of each failed attempt, by the id of its task. */
  readonly answers?: ReadonlyMap<string, Ended>
}

interface FailedRow {
  readonly ids: readonly string[]
  readonly states: readonly Ended['state'][]
  readonly times: readonly (string | null)[]
  readonly hands_on: boolean
}

/** Reports the results of many tasks at once. */
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
    /** Returns the result of each. Tasks that were no longer held are missing. */
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

/** Ids are digits, so an array literal needs no quoting. That saves the driver quoting each of them. */
function literal(numbers: readonly (string | number)[]): string {
  return `{${numbers.join(',')}}`
}

function idsAndClaims(held: readonly Held[]): [string, string] {
  return [literal(held.map(({ id }) => id)), literal(held.map(({ claim }) => claim))]
}

function unlessEmpty(values: readonly (string | null)[]): readonly (string | null)[] | null {
  return values.some((value) => value !== null) ? values : null
}
