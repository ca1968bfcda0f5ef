import type { Client } from 'pg'
import type { startWorker } from '../../src/worker/worker.ts'

export type StartWorker = typeof startWorker

/** The tasks that a producer enqueues with one call. */
export interface NewTasks {
  readonly queue: string
  readonly count: number
  readonly priority?: number
  /** The group of the n-th task. If absent, tasks have no group. */
  readonly groupOf?: (n: number) => string
  /** How many tasks of its group may run at once, set on each task. */
  readonly maxRunning?: number
  /** The payload as JSON; a few bytes by default. */
  readonly payload?: string
}

/** A claimed task, with the properties that are needed to run it and to report on it. */
export interface Claimed {
  readonly id: string
  readonly claim: string
  readonly priority: number
  readonly run_at: string
  readonly payload: unknown
  readonly groups: readonly string[] | null
}

/** Where to begin in a lane, so that a claim does not read tasks again that were claimed before. */
export interface Hint {
  readonly priority: number
  readonly from: Date
}

/** Tasks that stay in the table while others are drained. */
export interface Background {
  readonly kind: 'future' | 'ready' | 'finished'
  readonly queue: string
  readonly count: number
  readonly priority?: number
  /** All of them in this one group. */
  readonly group?: string
}

/**
 * Something that can be measured: a version of the engine or a design of another kind. Scenarios
 * know nothing else, so each is written once. Every connection handed in has the subject's schema
 * as its search path.
 */
export interface Subject {
  readonly name: string
  readonly schema: string
  readonly takesHints: boolean
  readonly keepsGroups: boolean
  readonly keepsHistory: boolean
  install(db: Client): Promise<void>
  /** Writes tasks directly into the tables, because enqueueing them is not measured. */
  load(db: Client, background: Background): Promise<void>
  enqueueMany(db: Client, tasks: NewTasks): Promise<void>
  enqueueOne(db: Client, queue: string): Promise<void>
  claim(db: Client, queue: string, limit: number, hints?: readonly Hint[]): Promise<Claimed[]>
  /** Returns how many tasks this claim still held and completed. */
  complete(db: Client, tasks: readonly Claimed[]): Promise<number>
  /** The worker of the same version. If absent, the subject has no worker. */
  readonly worker?: () => Promise<StartWorker>
  limitGroups(db: Client, names: readonly string[], maxRunning: number): Promise<void>
  /** The same limit for every group of a queue. */
  limitGroupsOfQueue(db: Client, queue: string, maxRunning: number): Promise<void>
}

/** Creates a subject in a schema of its own, once per variant. */
export interface SubjectKind {
  readonly name: string
  open(schema: string): Subject
}
