import type { Queryable } from '../db/queryable.ts'
import { call, callOne } from './call.ts'
import type { EndReason, Json, Task, TaskKind, TaskState } from './task.ts'

/** Which tasks to list: all that match everything given. */
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
}

export interface Page {
  /** Only tasks older than this one: the `next` of the page before. */
  readonly before?: string | undefined
  readonly limit?: number | undefined
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
  readonly iteration: string
  readonly attempt: number
  readonly reason: EndReason
  readonly worker: string | null
  readonly started_at: Date | null
  readonly ended_at: Date
  readonly error: Json
}

/** A line that a task wrote while it ran. */
export interface LogLine {
  readonly attempt: number
  readonly at: Date
  readonly level: string
  readonly message: string
}

/** Reading what there is. */
export function looking(schema: string) {
  return {
    listTasks: (db: Queryable, filter: TaskFilter, page: Page) =>
      listTasks(db, schema, filter, page),
    watch: (db: Queryable, id: string, time: string | null) =>
      callOne<Watched>(db, `select * from ${schema}.watch($1, $2)`, [id, time]),
    attempts: (db: Queryable, id: string) =>
      call<Attempt>(db, `select * from ${schema}.attempt where task = $1 order by ended_at`, [id]),
    logs: (db: Queryable, id: string) =>
      call<LogLine>(db, `select * from ${schema}.task_log where task = $1 order by at`, [id]),
  }
}

/** The newest first. The verb finds the page, so that the view is asked for these tasks only. */
function listTasks(
  db: Queryable,
  schema: string,
  { state, ...filter }: TaskFilter,
  { before, limit = 100 }: Page,
): Promise<Task[]> {
  const states = typeof state === 'string' ? [state] : state
  return call<Task>(
    db,
    `select *
     from ${schema}.task
     where id = any (array(select ${schema}.list_tasks($1, $2, $3)))
     order by id desc`,
    [JSON.stringify({ ...filter, states }), before ?? null, limit],
  )
}
