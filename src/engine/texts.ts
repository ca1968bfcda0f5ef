import type { Queryable } from '../db/queryable.ts'
import { call, done } from './call.ts'
import type { Json } from './task.ts'

export interface TaskTexts {
  readonly payload: string | null
  readonly output: string | null
}

/** Reads and writes JSON in Postgres, which keeps numbers that a double cannot hold. */
export function texts(schema: string) {
  return {
    taskTexts: async (db: Queryable, id: string): Promise<TaskTexts | null> => {
      const text = `select payload::text, output::text from ${schema}.task
        where id = $1 and row_id = any (${schema}.rows_of(array[$1::bigint]))`
      return (await call<TaskTexts>(db, text, [id]))[0] ?? null
    },
    retryWithText: (
      db: Queryable,
      id: string,
      runAt: Date | null,
      payload: string,
      from: string | null = null,
    ) => done(call(db, `select ${schema}.retry($1, $2, $3, $4)`, [id, runAt, payload, from])),
    amendWithText: (db: Queryable, id: string, changes: Json, payload: string) =>
      done(
        call(
          db,
          `select ${schema}.amend($1, $2::jsonb || jsonb_build_object('payload', $3::jsonb))`,
          [id, JSON.stringify(changes), payload],
        ),
      ),
  }
}
