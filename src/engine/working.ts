import type { Queryable } from '../db/queryable.ts'
import { call, callOne, done } from './call.ts'
import type { Held } from './outcomes.ts'

/** What a worker reports about itself. */
export interface WorkerCard {
  readonly id: string
  readonly queues: readonly string[]
  readonly slots: number
  readonly host: string
  readonly pid: number
  readonly version: string
  /** What it can run, in the form of claim(). Default: anything. */
  readonly kinds?: readonly string[] | undefined
  readonly handlers?: readonly string[] | null | undefined
  readonly versionsFrom?: readonly number[] | null | undefined
  readonly versionsTo?: readonly number[] | null | undefined
}

/** A line that a task wrote while it ran. */
export interface LogLine extends Held {
  readonly level: string
  readonly message: string
  readonly at: Date
}

async function dueInMs(db: Queryable, time: string, values: unknown[]): Promise<number | null> {
  const text = `select (extract(epoch from ${time} - clock_timestamp()) * 1000)::float8 as due_in_ms`
  return (await callOne<{ due_in_ms: number | null }>(db, text, values)).due_in_ms
}

/** Verbs for a worker: register, rest, and report what it runs. */
export function working(schema: string) {
  return {
    registerWorker: (db: Queryable, card: WorkerCard) =>
      done(
        call(db, `select ${schema}.register_worker($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, [
          card.id,
          card.queues,
          card.slots,
          card.host,
          card.pid,
          card.version,
          card.kinds ?? null,
          card.handlers ?? null,
          card.versionsFrom ?? null,
          card.versionsTo ?? null,
        ]),
      ),
    forgetWorkers: (db: Queryable, workers: readonly string[]) =>
      done(call(db, `select ${schema}.forget_workers($1)`, [workers])),
    /** Returns the milliseconds until the next task becomes due, by the database's clock. */
    sleep: (db: Queryable, worker: string, queues: readonly string[], forMs: number) =>
      dueInMs(db, `${schema}.sleep($1, $2, $3::float8 * interval '1 millisecond')`, [
        worker,
        queues,
        forMs,
      ]),
    /** The same, without registering the worker as resting. */
    nextDue: (db: Queryable, queues: readonly string[]) =>
      dueInMs(db, `${schema}.next_due($1)`, [queues]),
    wake: (db: Queryable, worker: string) => done(call(db, `select ${schema}.wake($1)`, [worker])),
    progress: (db: Queryable, { id, claim }: Held, progress: string) =>
      done(call(db, `select ${schema}.progress($1, $2, $3)`, [id, claim, progress])),
    log: (db: Queryable, lines: readonly LogLine[]) =>
      done(
        call(db, `select ${schema}.log($1, $2, $3, $4, $5)`, [
          lines.map(({ id }) => id),
          lines.map(({ claim }) => claim),
          lines.map(({ level }) => level),
          lines.map(({ message }) => message),
          lines.map(({ at }) => at.toISOString()),
        ]),
      ),
  }
}
