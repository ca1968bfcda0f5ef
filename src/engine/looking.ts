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

/** Selects tasks: those that match all conditions. */
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
  /** The worker that runs it, or ran it last. */
  readonly worker?: string | undefined
  /** The host of that worker. Workers that have ended are forgotten after a while. */
  readonly host?: string | undefined
  /** The fingerprint of its error, as errorGroups() returns it. */
  readonly error?: string | undefined
  /** The code of that error. */
  readonly code?: string | undefined
  /** A text in its payload, its SQL or the message of its error, in upper or lower case. */
  readonly text?: string | undefined
  readonly submittedBy?: string | undefined
  /** Times: from the first one (inclusive) to the second (exclusive). */
  readonly createdAfter?: Date | undefined
  readonly createdBefore?: Date | undefined
  readonly runAfter?: Date | undefined
  readonly runBefore?: Date | undefined
  readonly finishedAfter?: Date | undefined
  readonly finishedBefore?: Date | undefined
  readonly ids?: readonly string[] | undefined
}

/** Where a page of tasks starts, how long it is, and how long it may take. */
export interface Page {
  /** Only tasks older than this one: the `next` of the previous page. */
  readonly before?: string | undefined
  readonly limit?: number | undefined
  /** How long to search. Default: 200 ms. */
  readonly within?: Duration | undefined
}

/**
 * A page of tasks, the newest first. Pass `next` as `before` to get the next page; null means that all tasks were
 * searched. A page may be short, even empty, and still have a `next`: then its time was up.
 */
export interface TaskPage {
  readonly tasks: readonly Task[]
  readonly next: string | null
}

/** Up to how many tasks are counted, and for how long. */
export interface CountOptions {
  /** Where to stop. Default: 10,000. */
  readonly cap?: number | undefined
  /** How long to count. Default: 200 ms, or 150 ms for all states together. */
  readonly within?: Duration | undefined
}

/** How many tasks match. If it is not exact, there are at least that many. */
export interface TaskCount {
  readonly count: number
  readonly exact: boolean
}

/** The same for one state. An estimate comes from counters, and may be too high or too low. */
export interface StateCount extends TaskCount {
  readonly state: TaskState
  readonly estimated: boolean
}

/** The state of a task, as watch() returns it. */
export interface Watched {
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly reason: EndReason | null
  readonly attempt: number
  readonly output: Json
  readonly error: Json
}

/** A failed attempt. */
export interface Attempt {
  readonly iteration: number
  readonly attempt: number
  readonly reason: EndReason
  readonly worker: string | null
  readonly started_at: Date | null
  readonly ended_at: Date
  readonly error: Json
  /** The payload of this attempt, if it was replaced afterwards. Earlier attempts without one had the same payload. */
  readonly payload: Json | null
}

/** A line that a task wrote while it ran. */
export interface LogLine {
  /** Increases from line to line. */
  readonly id: string
  readonly attempt: number
  readonly at: Date
  readonly level: string
  readonly message: string
}

/** Reads tasks, attempts, logs and queues. */
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

/** Converts a filter to the names of page_tasks(). Undefined conditions are left out. */
export function filterInSql({ state, ...filter }: TaskFilter): Json {
  const renamed = Object.entries(snakeCase(filter)).map(([name, value]) => [
    name,
    value instanceof Date ? timeLiteral(value) : value,
  ])
  if (state !== undefined) renamed.push(['states', typeof state === 'string' ? [state] : state])
  return Object.fromEntries(renamed) as Json
}

/** The verb finds the ids of the page, so that the view has to return only those tasks. */
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
