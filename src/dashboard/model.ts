/** What the API answers with, taken from the schemas of the server: as types alone, so none of it is in the bundle. */
import type { SqlNotice, SqlOutput, SqlResult } from '../engine/sql-output.ts'
import type { Json } from '../engine/task.ts'
import type { Answer, AnySchema } from '../http/schemas/common.ts'
import type {
  dependencies,
  family,
  familyMember,
  pendingSignal,
  step,
} from '../http/schemas/durable.ts'
import type { operation } from '../http/schemas/operation.ts'
import type { push } from '../http/schemas/push.ts'
import type { queueStats } from '../http/schemas/queue.ts'
import type { schedule } from '../http/schemas/schedule.ts'
import type { info } from '../http/schemas/server.ts'
import type { series, stats } from '../http/schemas/stats.ts'
import type { kind, state, task } from '../http/schemas/task.ts'
import type { attempt, logLine, runningSql } from '../http/schemas/task-details.ts'
import type { worker } from '../http/schemas/worker.ts'

export type { Json, SqlNotice, SqlOutput, SqlResult }

/** What a schema of the server describes, as the dashboard reads it: unchanged, and where it may be anything, JSON. */
export type Read<Schema extends AnySchema> = ReadValue<Answer<Schema>>

type ReadValue<Value> = unknown extends Value
  ? Json
  : Value extends readonly (infer Item)[]
    ? readonly ReadValue<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: ReadValue<Value[Name]> }
      : Value

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly next_cursor: string | null
}

export type TaskState = Read<typeof state>
export type TaskKind = Read<typeof kind>

/** In the order in which the tabs show them. */
export const taskStates = [
  'ready',
  'running',
  'waiting',
  'scheduled',
  'retrying',
  'blocked',
  'failed',
  'cancelled',
  'done',
] as const satisfies readonly TaskState[]

/** An error as workers keep it; any other JSON may stand there too. */
export interface TaskError {
  readonly name?: string
  readonly code?: string
  readonly message?: string
  readonly detail?: string
  readonly hint?: string
  readonly where?: string
  readonly position?: number
  readonly stack?: string
  readonly statement?: number
  readonly results?: readonly SqlResult[]
  readonly notices?: readonly SqlNotice[]
  readonly results_dropped?: number
  readonly notices_dropped?: number
}

export type Task = Failing<Read<typeof task>>
export type Attempt = Failing<Read<typeof attempt>>

type Failing<T> = Omit<T, 'error'> & { readonly error: TaskError | null }

export type LogLine = Read<typeof logLine>
/** A SQL task at work: its backend, what that waits for, and who is in its way. */
export type RunningSql = Read<typeof runningSql>

/** What a durable task has stored of a step. */
export type Step = Read<typeof step>
export type Family = Read<typeof family>
export type FamilyMember = Read<typeof familyMember>
export type Dependencies = Read<typeof dependencies>
export type PendingSignal = Read<typeof pendingSignal>

export type Push = Read<typeof push>
export type QueueStats = Read<typeof queueStats>
export type Stats = Read<typeof stats>
export type Series = Read<typeof series>
export type SeriesPoint = Series['points'][number]
export type Info = Read<typeof info>
export type Schedule = Read<typeof schedule>
export type Worker = Read<typeof worker>
export type Operation = Read<typeof operation>
