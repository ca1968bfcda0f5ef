import type { Queryable } from '../db/queryable.ts'
import type { Json, NewTask } from '../engine/task.ts'

/** A job as the other system stores it, and where to go on reading after it. */
export interface SourceJob {
  /** What identifies it in its table. */
  readonly row_id: string
  /** Its place in the order in which jobs are read. */
  readonly place: string
  /** The whole row as JSON, so that an undo puts back exactly this. */
  readonly job: string
}

/** A schedule of the other system, and what it becomes. */
export interface SourceSchedule {
  /** The name that it gets in Tusk. */
  readonly name: string
  /** What set_schedule() takes; why it cannot be moved if a text. */
  readonly settings: { readonly [name: string]: Json } | string
  /** The row that is taken out of the other system; null when it comes from a file. */
  readonly row: { readonly id: string; readonly job: string } | null
}

/** How many jobs stay in the other system, and why. */
export interface Left {
  readonly reason: string
  readonly count: number
}

/** A task system whose jobs can be moved into Tusk. Nothing here writes; see move.ts and undo.ts. */
export interface Source<Row extends SourceJob = SourceJob> {
  readonly name: string
  readonly usualSchema: string
  /** The tables, without the schema, that jobs and schedules are taken from and put back into. */
  readonly jobTable: string
  readonly scheduleTable: string | null
  /** The SQL that identifies a row of either table by text, as `row_id` and `row.id` have it. */
  readonly jobId: string
  readonly scheduleId: string
  /** Columns that must be there, by table. */
  readonly columns: Readonly<Record<string, readonly string[]>>
  /** Which version of its schema this is; null when its table of versions is empty. */
  readonly version: (db: Queryable, schema: string) => Promise<number | null>
  readonly versions: { readonly from: number; readonly to: number; readonly ofPackage: string }
  /** A statement for the waiting jobs of `schema`: $1 is the place of the last one or null, $2 how many. */
  readonly selectJobs: (schema: string) => string
  readonly toTask: (row: Row) => NewTask
  /** The waiting jobs by the queue that they get, as `queue` and `count`. */
  readonly countJobs: (schema: string) => string
  readonly countLeft: (schema: string) => string
  readonly readSchedules: (db: Queryable, schema: string) => Promise<readonly SourceSchedule[]>
}
