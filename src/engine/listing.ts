import type { Queryable } from '../db/queryable.ts'
import { call } from './call.ts'
import {
  type GroupStats,
  groupColumns,
  type QueueStats,
  queueStatsColumns,
  type WorkerInfo,
  workerColumns,
} from './measuring.ts'
import type { ScheduleState } from './schedule.ts'
import type { Json } from './task.ts'

/** A page of a list that is sorted by name. */
export interface NamePage {
  /** Only entries after this name: the last name of the previous page. */
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

/** An event of a key, as trace_key() returns it. */
export interface KeyEvent {
  readonly at: Date
  readonly queue: string
  readonly task: string
  readonly event: string
  readonly details: Json
}

/** A row of the view `sql_statement`. */
export interface SqlStatement {
  readonly name: string
  readonly sql: string
  readonly params: readonly string[]
  readonly role: string | null
  readonly connection: string | null
  readonly settings: Json
  readonly granted_to: readonly string[]
}

/** A row of the view `sql_connection`; `secret` says where a worker finds the password. */
export interface SqlConnection {
  readonly name: string
  readonly options: Json
  readonly secret: Json
  readonly roles: readonly string[]
  readonly granted_to: readonly string[]
}

/** A row of the view `sql_role`. */
export interface SqlRole {
  readonly submitter: string
  readonly role: string
}

/** Single rows and pages of lists that are also available as a whole. */
export function listing(schema: string) {
  return {
    queueStatsOf: async (db: Queryable, queue: string): Promise<QueueStats | null> =>
      (
        await call<QueueStats>(
          db,
          `select ${queueStatsColumns} from ${schema}.queue_stats where queue = $1`,
          [queue],
        )
      )[0] ?? null,
    pageGroups: (db: Queryable, { after, limit = 100 }: NamePage = {}) =>
      call<GroupStats>(
        db,
        `select ${groupColumns} from ${schema}.group_stats
         where $1::text is null or group_name > $1
         order by group_name
         limit $2`,
        [after ?? null, limit],
      ),
    group: async (db: Queryable, name: string): Promise<GroupStats | null> =>
      (
        await call<GroupStats>(
          db,
          `select ${groupColumns} from ${schema}.group_stats where group_name = $1`,
          [name],
        )
      )[0] ?? null,
    worker: async (db: Queryable, id: string): Promise<WorkerInfo | null> =>
      (
        await call<WorkerInfo>(db, `select ${workerColumns} from ${schema}.worker where id = $1`, [
          id,
        ])
      )[0] ?? null,
    scheduleCounts: (db: Queryable) =>
      call<{ readonly state: ScheduleState; readonly n: number }>(
        db,
        `select state, count(*)::integer as n from ${schema}.schedule group by state`,
        [],
      ),
    traceKey: (db: Queryable, key: string) =>
      call<KeyEvent>(db, `select * from ${schema}.trace_key($1)`, [key]),
    ...listingSql(schema),
  }
}

function listingSql(schema: string) {
  return {
    sqlStatements: (db: Queryable) =>
      call<SqlStatement>(db, `select * from ${schema}.sql_statement order by name`, []),
    sqlConnections: (db: Queryable) =>
      call<SqlConnection>(db, `select * from ${schema}.sql_connection order by name`, []),
    sqlRoles: (db: Queryable) =>
      call<SqlRole>(db, `select * from ${schema}.sql_role order by submitter, role`, []),
  }
}
