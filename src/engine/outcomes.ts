import type { Queryable } from '../db/queryable.ts'
import { call, callOne, done, ids } from './call.ts'
import { inRounds } from './in-rounds.ts'
import type { Json } from './task.ts'

/** A claimed task, and the claim that proves the lease, as claim() returned it. */
export interface Held {
  readonly id: string
  readonly claim: string
}

export interface FailOptions {
  readonly reason?: 'error' | 'timeout'
  readonly retry?: boolean
  readonly delay?: string
}

/** The state of a task after a failed attempt. */
export interface Ended {
  readonly state: 'queued' | 'failed'
  readonly run_at: Date | null
}

/** Reports the result of a claimed task. Every report carries the claim. */
export function outcomes(schema: string) {
  return {
    complete: (db: Queryable, { id, claim }: Held, output: Json = null) =>
      done(call(db, `select ${schema}.complete($1, $2, $3)`, [id, claim, json(output)])),
    completeMany: (
      db: Queryable,
      held: readonly Held[],
      outputs?: readonly Json[],
    ): Promise<string[]> =>
      inRounds(held, async (part, from) => {
        const text = `select complete_many as id from ${schema}.complete_many($1, $2, $3::jsonb[])`
        const given =
          held.length === part.length ? outputs : outputs?.slice(from, from + part.length)
        return ids(await call(db, text, [...columns(part), given?.map(json) ?? null]))
      }),
    fail(
      db: Queryable,
      { id, claim }: Held,
      error: Json = null,
      options: FailOptions = {},
    ): Promise<Ended> {
      const { reason = 'error', retry = true, delay = null } = options
      const text = `select * from ${schema}.fail($1, $2, $3, $4, $5, $6)`
      return callOne(db, text, [id, claim, json(error), reason, retry, delay])
    },
    reject: (db: Queryable, { id, claim }: Held, error: Json = null, delay: string | null = null) =>
      callOne<Ended>(db, `select * from ${schema}.reject($1, $2, $3, $4)`, [
        id,
        claim,
        json(error),
        delay,
      ]),
    kill: (db: Queryable, { id, claim }: Held, error: Json = null) =>
      done(call(db, `select ${schema}.kill($1, $2, $3)`, [id, claim, json(error)])),
    reschedule: (db: Queryable, { id, claim }: Held, runAt: Date, payload?: Json) =>
      done(
        call(db, `select ${schema}.reschedule($1, $2, $3, $4)`, [
          id,
          claim,
          runAt,
          payload === undefined ? null : JSON.stringify(payload),
        ]),
      ),
    release: (db: Queryable, held: readonly Held[]): Promise<string[]> =>
      inRounds(held, async (part) =>
        ids(await call(db, `select release as id from ${schema}.release($1, $2)`, columns(part))),
      ),
  }
}

/** A missing output is stored as SQL null, so that `where output is null` finds it. */
function json(value: Json): string | null {
  return value === null ? null : JSON.stringify(value)
}

function columns(held: readonly Held[]): [string[], string[]] {
  return [held.map(({ id }) => id), held.map(({ claim }) => claim)]
}
