import type { Queryable } from '../db/queryable.ts'
import { toInterval } from '../lib/duration.ts'
import { call, callOne, done } from './call.ts'
import type { CountOptions, TaskCount } from './looking.ts'
import type { Json } from './task.ts'

/** The actions that can be applied to all tasks that match a filter. */
export type OperationAction = 'cancel' | 'kill' | 'retry' | 'delete' | 'move' | 'amend'

/** An operation on all tasks that match a filter, and its progress. */
export interface Operation {
  readonly id: string
  readonly action: OperationAction
  readonly filter: Json
  readonly arguments: Json
  readonly state: 'running' | 'done' | 'cancelled' | 'failed'
  /** How many tasks it covers. Null if the filter names stored states: those tasks are found page by page. */
  readonly total: number | null
  /** How many tasks were found so far: changed and refused ones. */
  readonly matched: number
  readonly done: number
  readonly refused: number
  /** From 0 to 1: by `total`, or by the ids of the tasks that are still to be checked. */
  readonly progress: number
  /** Why it failed, or why the last refused task was refused. */
  readonly error: string | null
  readonly created_by: string
  readonly created_at: Date
  readonly advanced_at: Date
  readonly ended_at: Date | null
}

/** What an operation would find: how many tasks, and the ids of the newest ten. */
export interface OperationCount extends TaskCount {
  readonly newest: readonly string[]
}

/** How far back to list operations, and how many. */
export interface OperationPage {
  /** Only operations older than this one. */
  readonly before?: string | undefined
  readonly limit?: number | undefined
}

const columns = `
  id, action, filter, arguments, state, total::integer, matched::integer, done::integer, refused::integer, progress, error, created_by,
  created_at, advanced_at, ended_at`

/** Verbs for operations on all tasks that match a filter. */
export function bulk(schema: string) {
  return {
    startOperation: async (
      db: Queryable,
      action: string,
      filter: Json,
      given: Json = {},
    ): Promise<string> => {
      const text = `select ${schema}.start_operation($1, $2, $3) as id`
      const values = [action, JSON.stringify(filter), JSON.stringify(given)]
      return (await callOne<{ id: string }>(db, text, values)).id
    },
    /** How many tasks it would find. Call it before you start the operation. */
    countOperation: (
      db: Queryable,
      action: string,
      filter: Json,
      given: Json = {},
      { cap = 10_000, within = '200 ms' }: CountOptions = {},
    ) =>
      callOne<OperationCount>(
        db,
        `select count::integer, exact, newest::text[] from ${schema}.count_operation($1, $2, $3, $4, $5)`,
        [action, JSON.stringify(filter), JSON.stringify(given), cap, toInterval('within', within)],
      ),
    /** Processes one page, unless another process is doing that. Returns the state of the operation. */
    advanceOperation: (db: Queryable, id: string, limit = 500) =>
      callOne<Operation>(db, `select ${columns} from ${schema}.advance_operation($1, $2)`, [
        id,
        limit,
      ]),
    cancelOperation: (db: Queryable, id: string) =>
      done(call(db, `select ${schema}.cancel_operation($1)`, [id])),
    operation: async (db: Queryable, id: string): Promise<Operation | null> =>
      (
        await call<Operation>(db, `select ${columns} from ${schema}.operation where id = $1`, [id])
      )[0] ?? null,
    /** The newest first. */
    operations: (db: Queryable, { before, limit = 100 }: OperationPage = {}) =>
      call<Operation>(
        db,
        `select ${columns} from ${schema}.operation
         where $1::bigint is null or id < $1
         order by id desc
         limit $2`,
        [before ?? null, limit],
      ),
  }
}
