import type { Queryable } from '../db/queryable.ts'
import { snakeCase } from '../lib/casing.ts'
import { type Duration, toInterval } from '../lib/duration.ts'
import { asNumbers } from './as-numbers.ts'
import { call, callOne } from './call.ts'
import { type AttemptsPage, pageAttempts } from './page-attempts.ts'
import {
  type EndReason,
  type Json,
  type Task,
  type TaskKind,
  type TaskState,
  taskColumns,
} from './task.ts'
import { timeLiteral } from './time-literal.ts'

/** Which tasks are meant: all that match everything given. */
export interface TaskFilter {
  readonly queue?: string | undefined
  readonly state?: TaskState | readonly TaskState[] | undefined
  readonly key?: string | undefined
  readonly handler?: string | undefined
  readonly kind?: TaskKind | undefined
  /** One of its tags. */
  readonly tag?: string | undefined
  /** One of its groups. */
  readonly group?: string | undefined
  readonly parent?: string | undefined
  /** Why it ended. */
  readonly reason?: EndReason | undefined
  /** Who runs it, or ran it last. */
  readonly worker?: string | undefined
  /** Where that worker is; workers that left are forgotten after a while. */
  readonly host?: string | undefined
  /** The fingerprint of the error that it ended with, as errorGroups() tells it. */
  readonly error?: string | undefined
  /** The code of that error. */
  readonly code?: string | undefined
  /** In its payload, its SQL or the message of its error, in upper or lower case. */
  readonly text?: string | undefined
  readonly submittedBy?: string | undefined
  /** Times: from the first on, and before the second. */
  readonly createdAfter?: Date | undefined
  readonly createdBefore?: Date | undefined
  readonly runAfter?: Date | undefined
  readonly runBefore?: Date | undefined
  readonly finishedAfter?: Date | undefined
  readonly finishedBefore?: Date | undefined
  readonly ids?: readonly string[] | undefined
}

/** Where a page of tasks begins, how long it is, and how long it may take. */
export interface Page {
  /** Only tasks older than this one: the `next` of the page before. */
  readonly before?: string | undefined
  readonly limit?: number | undefined
  /** How long to look for them; 200 ms unless told. */
  readonly within?: Duration | undefined
}

/**
 * A page of tasks, the newest first. `next` is what to give as `before` for the next one; null when
 * all were looked at. A page may be short, even empty, and have a next: then its time was up.
 */
export interface TaskPage {
  readonly tasks: readonly Task[]
  readonly next: string | null
}

/** Up to how many tasks are counted, and for how long. */
export interface CountOptions {
  /** Where to stop; 10,000 unless told. */
  readonly cap?: number | undefined
  /** How long to count; 200 ms unless told, 150 ms for all states together. */
  readonly within?: Duration | undefined
}

/** How many tasks match; at least so many if it is not exact. */
export interface TaskCount {
  readonly count: number
  readonly exact: boolean
}

/** The same for one state. What is estimated comes from counters, and may be more or less. */
export interface StateCount extends TaskCount {
  readonly state: TaskState
  readonly estimated: boolean
}

/** How a task stands, as watch() tells it. */
export interface Watched {
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly reason: EndReason | null
  readonly attempt: number
  readonly output: Json
  readonly error: Json
}

/** An attempt that did not succeed. */
export interface Attempt {
  readonly iteration: number
  readonly attempt: number
  readonly reason: EndReason
  readonly worker: string | null
  readonly started_at: Date | null
  readonly ended_at: Date
  readonly error: Json
  /** What it ran with, where that was replaced afterwards; attempts before it that have none ran with the same. */
  readonly payload: Json | null
}

/** A line that a task wrote while it ran. */
export interface LogLine {
  /** Grows from line to line. */
  readonly id: string
  readonly attempt: number
  readonly at: Date
  readonly level: string
  readonly message: string
}

/** Reading what there is. */
export function looking(schema: string) {
  return {
    pageTasks: (db: Queryable, filter: TaskFilter, page: Page = {}) =>
      pageTasks(db, schema, filter, page),
    countTasks: async (
      db: Queryable,
      filter: TaskFilter,
      { cap = 10_000, within = '200 ms' }: CountOptions = {},
    ): Promise<TaskCount> =>
      callOne<TaskCount>(
        db,
        `select count::integer, exact from ${schema}.count_tasks($1, $2, $3)`,
        [JSON.stringify(filterInSql(filter)), cap, toInterval('within', within)],
      ),
    countStates: (
      db: Queryable,
      filter: TaskFilter,
      { cap = 10_000, within = '150 ms' }: CountOptions = {},
    ) =>
      call<StateCount>(
        db,
        `select state, count::integer, exact, estimated from ${schema}.count_states($1, $2, $3)`,
        [JSON.stringify(filterInSql(filter)), cap, toInterval('within', within)],
      ),
    watch: (db: Queryable, id: string, time: string | null) =>
      callOne<Watched>(db, `select * from ${schema}.watch($1, $2)`, [id, time]),
    attempts: (db: Queryable, id: string) =>
      call<Attempt>(
        db,
        `select ${asNumbers('iteration')}, attempt, reason, worker, started_at, ended_at, error, payload
         from ${schema}.attempt where task = $1 order by ended_at`,
        [id],
      ),
    pageAttempts: (db: Queryable, id: string, page: AttemptsPage = {}) =>
      pageAttempts(db, schema, id, page),
    logs: (db: Queryable, id: string, after = '0') =>
      call<LogLine>(
        db,
        `select id, attempt, at, level, message from ${schema}.task_log where task = $1 and id > $2 order by id`,
        [id, after],
      ),
  }
}

/** A filter in the words of page_tasks(); what is undefined is left out. */
export function filterInSql({ state, ...filter }: TaskFilter): Json {
  const renamed = Object.entries(snakeCase(filter)).map(([name, value]) => [
    name,
    value instanceof Date ? timeLiteral(value) : value,
  ])
  if (state !== undefined) renamed.push(['states', typeof state === 'string' ? [state] : state])
  return Object.fromEntries(renamed) as Json
}

/** The verb finds the page, so that the view is asked for these tasks only. */
async function pageTasks(
  db: Queryable,
  schema: string,
  filter: TaskFilter,
  { before, limit = 100, within = '200 ms' }: Page,
): Promise<TaskPage> {
  const { ids, next } = await callOne<{ ids: string[]; next: string | null }>(
    db,
    `select ids::text[], next from ${schema}.page_tasks($1, $2, $3, $4)`,
    [JSON.stringify(filterInSql(filter)), before ?? null, limit, toInterval('within', within)],
  )
  if (ids.length === 0) return { tasks: [], next }
  const tasks = await call<Task>(
    db,
    `select ${taskColumns} from ${schema}.task
     where id = any ($1::bigint[]) and row_id = any (${schema}.rows_of($1::bigint[])) order by id desc`,
    [ids],
  )
  return { tasks, next }
}
