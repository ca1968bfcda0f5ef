import type { Queryable } from '../db/queryable.ts'
import { call, callOne } from './call.ts'
import type { Held } from './outcomes.ts'
import type { Json, TaskState } from './task.ts'

/** The kind of a stored step. */
export type StepKind = 'step' | 'delay' | 'signal' | 'child' | 'version'

/** A stored step, as its task reads it when it runs again. */
export interface StepRow {
  readonly name: string
  readonly kind: StepKind
  readonly state: 'open' | 'retrying' | 'done' | 'failed'
  readonly attempt?: number
  readonly child: string | null
  /** The received signal. Null if the wait ended by its timeout. */
  readonly signal: string | null
  readonly output: Json
  readonly error: Json
}

/** A step as the view `step` shows it. */
export interface Step extends Required<StepRow> {
  readonly task: string
  readonly is_detached: boolean
  readonly until: Date | null
  readonly started_at: Date | null
  readonly finished_at: Date | null
}

/** A checkpoint to store. Values are JSON text. */
export interface Checkpoint extends Held {
  readonly name: string
  readonly output: string | null
  readonly error: string | null
  readonly state: 'done' | 'retrying' | 'failed'
  readonly kind: 'step' | 'version'
  readonly startedAt: Date
}

/** What a task waits for; see docs/learn/durable.md. */
export type Wait =
  | {
      readonly kind: 'delay'
      readonly name: string
      readonly for?: string
      readonly until?: string
    }
  | {
      readonly kind: 'signal'
      readonly name: string
      readonly signal: string
      readonly for?: string
    }
  | {
      readonly kind: 'children'
      readonly children: readonly string[]
      readonly mode: JoinMode
      readonly on_failure: 'throw' | 'collect'
    }
  | { readonly kind: 'retry'; readonly name: string; readonly for: string }

/** Which children a join waits for: all of them, the first that succeeds (`any`), or the first that ends (`race`). */
export type JoinMode = 'all' | 'any' | 'race'

/** A child task to start, in the form of enqueue_many(). */
export interface NewChild {
  readonly name: string
  readonly task: Json
  readonly isDetached: boolean
}

/** A chunk of a task's stream. */
export interface Chunk {
  /** Its position, counted from 1, without gaps. */
  readonly place: string
  readonly at: Date
  /** The attempt that wrote it. */
  readonly attempt: number
  readonly chunk: Json
}

/** A task of a family: the requested task, or one that another of them started. */
export interface FamilyMember {
  readonly id: string
  /** The task that started it. Null for the requested task. */
  readonly parent: string | null
  /** The step of the parent that started it. */
  readonly step: string | null
  readonly depth: number
  readonly is_detached: boolean
  readonly state: TaskState
  /** Null, like the fields below, for a task that is no longer kept. */
  readonly queue: string | null
  readonly handler: string | null
  readonly attempt: number | null
  readonly waits: Json
  readonly run_at: Date | null
  readonly created_at: Date | null
  readonly started_at: Date | null
  readonly finished_at: Date | null
}

/** A task that comes after others or that others come after: the requested task, or one that is linked to it. */
export interface Dependency extends Omit<FamilyMember, 'parent' | 'step' | 'is_detached'> {
  /** Those of the listed tasks that it still waits for. */
  readonly after: readonly string[]
}

/** A signal that no task has received yet. */
export interface PendingSignal {
  readonly id: string
  readonly name: string
  readonly sent_at: Date
  readonly sent_by: string
  readonly payload: Json
}

const stepColumns = 'name, kind, state, child::text, signal::text, output, error'

/** Verbs for durable tasks: store steps, wait, start children. */
export function durable(schema: string) {
  return {
    readSteps: (db: Queryable, { id, claim }: Held): Promise<StepRow[]> =>
      call(db, `select ${stepColumns}, attempt from ${schema}.read_steps($1, $2)`, [id, claim]),
    /** Stores steps of several tasks at once. Returns the ids of the tasks whose claims are lost. */
    saveSteps: async (db: Queryable, steps: readonly Checkpoint[]): Promise<string[]> => {
      const text = `select save_steps::text as id
        from ${schema}.save_steps($1, $2, $3, $4::jsonb[], $5::jsonb[], $6, $7, $8::timestamptz[])`
      const rows = await call<{ id: string }>(db, text, [
        steps.map(({ id }) => id),
        steps.map(({ claim }) => claim),
        steps.map(({ name }) => name),
        steps.map(({ output }) => output),
        steps.map(({ error }) => error),
        steps.map(({ state }) => state),
        steps.map(({ kind }) => kind),
        steps.map(({ startedAt }) => startedAt.toISOString()),
      ])
      return rows.map(({ id }) => id)
    },
    /** Returns the steps that are over already. An empty list means that the task now waits. */
    suspend: (db: Queryable, { id, claim }: Held, waits: readonly Wait[]): Promise<StepRow[]> =>
      call(db, `select ${stepColumns} from ${schema}.suspend($1, $2, $3)`, [
        id,
        claim,
        JSON.stringify(waits),
      ]),
    spawn: (
      db: Queryable,
      { id, claim }: Held,
      children: readonly NewChild[],
    ): Promise<{ name: string; child: string }[]> =>
      call(db, `select name, child::text from ${schema}.spawn($1, $2, $3, $4, $5)`, [
        id,
        claim,
        children.map(({ name }) => name),
        JSON.stringify(children.map(({ task }) => task)),
        children.map(({ isDetached }) => isDetached),
      ]),
  }
}

/** Verbs on signals, streams and steps for callers other than the task itself. */
export function durableDoors(schema: string) {
  return {
    writeChunks: async (db: Queryable, { id, claim }: Held, chunks: readonly string[]) => {
      const text = `select ${schema}.write_chunks($1, $2, $3::jsonb[])::text as last`
      return (await callOne<{ last: string }>(db, text, [id, claim, chunks])).last
    },
    readChunks: (db: Queryable, id: string, after: string, limit: number): Promise<Chunk[]> =>
      call(db, `select place::text, at, attempt, chunk from ${schema}.read_chunks($1, $2, $3)`, [
        id,
        after,
        limit,
      ]),
    signal: async (db: Queryable, id: string, name: string, payload: string): Promise<string> => {
      const text = `select ${schema}.signal($1::bigint, $2::text, $3::jsonb)::text as id`
      return (await callOne<{ id: string }>(db, text, [id, name, payload])).id
    },
    signalKey: async (
      db: Queryable,
      key: { readonly queue: string; readonly key: string },
      name: string,
      payload: string,
      keep: string,
    ): Promise<string> => {
      const text = `select ${schema}.signal(
        $1::text, $2::text, $3::text, $4::jsonb, $5::interval)::text as id`
      const values = [key.queue, key.key, name, payload, keep]
      return (await callOne<{ id: string }>(db, text, values)).id
    },
    /** The nearest first, at most `limit`. */
    family: (db: Queryable, id: string, limit: number): Promise<FamilyMember[]> =>
      call(
        db,
        `select id::text, parent::text, step, depth, is_detached, state, queue, handler, attempt, waits,
           run_at, created_at, started_at, finished_at
         from ${schema}.read_family($1, $2)`,
        [id, limit],
      ),
    /** The nearest first, at most `limit`. */
    dependencies: (db: Queryable, id: string, limit: number): Promise<Dependency[]> =>
      call(
        db,
        `select id::text, after::text[], depth, state, queue, handler, attempt, waits, run_at, created_at,
           started_at, finished_at
         from ${schema}.read_dependencies($1, $2)`,
        [id, limit],
      ),
    pendingSignals: (db: Queryable, task: string): Promise<PendingSignal[]> =>
      call(
        db,
        `select id::text, name, sent_at, sent_by, payload from ${schema}.pending_signal
         where task = $1 order by id limit 1000`,
        [task],
      ),
    steps: (db: Queryable, task: string): Promise<Step[]> =>
      call(
        db,
        `select task::text, ${stepColumns}, attempt, is_detached, until, started_at, finished_at
         from ${schema}.step where task = $1 order by place`,
        [task],
      ),
  }
}
