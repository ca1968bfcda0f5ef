import type { Queryable } from '../db/queryable.ts'
import { call, callOne, done } from './call.ts'
import type { Held } from './outcomes.ts'
import type { Json } from './task.ts'

/** A statement that an admin registered. */
export interface RegisteredStatement {
  readonly sql: string
  readonly params: readonly string[]
  readonly role: string | null
  readonly connection: string | null
  readonly settings: Readonly<Record<string, string | number | boolean>>
}

/** What a durable procedure runs with: its text, and the proof of its task's claim. */
export interface OpenedProcedure {
  readonly sql: string
  readonly run: string
}

/** A connection that an admin registered; `secret` says where the worker finds its password. */
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

/** A row of the view `running_sql`: the backend of a SQL task, what it does and which backend blocks it. */
export interface RunningSql {
  readonly worker: string | null
  readonly attempt: number
  readonly pid: number | null
  readonly connection: string | null
  readonly state: string | null
  readonly wait_event_type: string | null
  readonly wait_event: string | null
  readonly blocked_by: number[] | null
  readonly started_at: Date | null
  readonly running_for: string | null
  readonly query: string | null
}

/** Verbs for workers that run SQL. */
export function runningSql(schema: string) {
  return {
    readStatement: async (
      db: Queryable,
      name: string,
    ): Promise<RegisteredStatement | undefined> => {
      const text = `select * from ${schema}.read_statement($1)`
      return (await call<RegisteredStatement>(db, text, [name]))[0]
    },
    openProcedure: (
      db: Queryable,
      { id, claim }: Held,
      procedure: string,
      args: readonly (string | null)[],
    ): Promise<OpenedProcedure> => {
      const text = `select sql, run from ${schema}.open_procedure($1, $2, $3, $4)`
      return callOne(db, text, [id, claim, procedure, args])
    },
    readConnection: async (
      db: Queryable,
      name: string,
    ): Promise<RegisteredConnection | undefined> => {
      const text = `select * from ${schema}.read_connection($1)`
      return (await call<RegisteredConnection>(db, text, [name]))[0]
    },
    /** Null if the task is not a running SQL task. */
    runningSql: async (db: Queryable, id: string): Promise<RunningSql | null> => {
      const text = `select worker, attempt, pid, connection, state, wait_event_type, wait_event, blocked_by,
                           started_at, running_for::text, query
                    from ${schema}.running_sql where task = $1`
      return (await call<RunningSql>(db, text, [id]))[0] ?? null
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
