import type { Queryable } from '../db/queryable.ts'
import { call, callOne } from './call.ts'
import type { Held } from './outcomes.ts'
import type { Json, TaskState } from './task.ts'

/** What a stored step is. */
export type StepKind = 'step' | 'delay' | 'signal' | 'child' | 'version'

/** A stored step, as its task reads it when it runs again. */
export interface StepRow {
  readonly name: string
  readonly kind: StepKind
  readonly state: 'open' | 'retrying' | 'done' | 'failed'
  readonly attempt?: number
  readonly child: string | null
  /** The signal that was received; null for a wait that ran into its timeout. */
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

/** A checkpoint to be stored; values are JSON text. */
export interface Checkpoint extends Held {
  readonly name: string
  readonly output: string | null
  readonly error: string | null
  readonly state: 'done' | 'retrying' | 'failed'
  readonly kind: 'step' | 'version'
  readonly startedAt: Date
}

/** What a task waits for; docs/learn/durable.md. */
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

/** A child to be started: a task as enqueue_many() reads objects. */
export interface NewChild {
  readonly name: string
  readonly task: Json
  readonly isDetached: boolean
}

/** A piece of a task's stream. */
export interface Chunk {
  /** Counted from 1, without gaps. */
  readonly place: string
  readonly at: Date
  /** The attempt that wrote it. */
  readonly attempt: number
  readonly chunk: Json
}

/** A task of a family: the task that was asked for, or one that was started by another of them. */
export interface FamilyMember {
  readonly id: string
  /** The task that started it; null for the one that was asked for. */
  readonly parent: string | null
  /** The step of the parent that started it. */
  readonly step: string | null
  readonly depth: number
  readonly is_detached: boolean
  readonly state: TaskState
  /** Null, like the rest, for a task that is no longer kept. */
  readonly queue: string | null
  readonly handler: string | null
  readonly attempt: number | null
  readonly waits: Json
  readonly run_at: Date | null
  readonly created_at: Date | null
  readonly started_at: Date | null
  readonly finished_at: Date | null
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

/** Tasks that remember their steps, wait, and start others. */
export function durable(schema: string) {
  return {
    readSteps: (db: Queryable, { id, claim }: Held): Promise<StepRow[]> =>
      call(db, `select ${stepColumns}, attempt from ${schema}.read_steps($1, $2)`, [id, claim]),
    /** Of several tasks at once; answers with the ids whose claims are lost. */
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
    /** The steps that are over already; none if the task waits now. */
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

/** Signals, streams and steps, as people and programs outside of a run use them. */
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
