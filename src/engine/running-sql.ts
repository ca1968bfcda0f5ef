import type { Queryable } from '../db/queryable.ts'
import { call, done } from './call.ts'
import type { Json } from './task.ts'

/** A statement that an admin registered. */
export interface RegisteredStatement {
  readonly sql: string
  readonly params: readonly string[]
  readonly role: string | null
  readonly connection: string | null
  readonly settings: Readonly<Record<string, string | number | boolean>>
}

/** A connection that an admin registered; `secret` says where the worker finds the rest. */
export interface RegisteredConnection {
  readonly options: Readonly<Record<string, Json>>
  readonly secret: {
    readonly env?: string
    readonly file?: string
    readonly callback?: string
  } | null
}

/** A backend that runs a task. */
export interface SqlRunReport {
  readonly id: string
  readonly claim: string
  readonly pid: number
  readonly connection: string | null
}

/** What workers that run SQL ask and tell. */
export function runningSql(schema: string) {
  return {
    readStatement: async (
      db: Queryable,
      name: string,
    ): Promise<RegisteredStatement | undefined> => {
      const text = `select * from ${schema}.read_statement($1)`
      return (await call<RegisteredStatement>(db, text, [name]))[0]
    },
    readConnection: async (
      db: Queryable,
      name: string,
    ): Promise<RegisteredConnection | undefined> => {
      const text = `select * from ${schema}.read_connection($1)`
      return (await call<RegisteredConnection>(db, text, [name]))[0]
    },
    reportSql: (db: Queryable, runs: readonly SqlRunReport[], ended: readonly string[]) =>
      done(
        call(db, `select ${schema}.report_sql($1, $2, $3, $4, $5)`, [
          runs.map(({ id }) => id),
          runs.map(({ claim }) => claim),
          runs.map(({ pid }) => pid),
          runs.map(({ connection }) => connection),
          ended,
        ]),
      ),
  }
}
