import type { Client } from 'pg'
import type { startWorker } from '../../src/worker/worker.ts'

export type StartWorker = typeof startWorker

/** What a producer puts into a queue with one call. */
export interface NewTasks {
  readonly queue: string
  readonly count: number
  readonly priority?: number
  /** The group of the n-th task; without it tasks have none. */
  readonly groupOf?: (n: number) => string
  /** How many tasks of its group may run at once, as each task says. */
  readonly maxRunning?: number
  /** The payload as JSON; a few bytes unless told. */
  readonly payload?: string
}

/** A task in the hands of whoever claimed it, with what is needed to run it and to report it. */
export interface Claimed {
  readonly id: string
  readonly claim: string
  readonly priority: number
  readonly run_at: string
  readonly payload: unknown
  readonly groups: readonly string[] | null
}

/** Where to begin in a lane: what was given out before need not be read again. */
export interface Hint {
  readonly priority: number
  readonly from: Date
}

/** Tasks that lie around while others are drained. */
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
  /** Puts tasks straight into the tables: the way there is not what is measured. */
  load(db: Client, background: Background): Promise<void>
  enqueueMany(db: Client, tasks: NewTasks): Promise<void>
  enqueueOne(db: Client, queue: string): Promise<void>
  claim(db: Client, queue: string, limit: number, hints?: readonly Hint[]): Promise<Claimed[]>
  /** Answers how many were still ours to complete. */
  complete(db: Client, tasks: readonly Claimed[]): Promise<number>
  /** The worker of the same version; without it the subject has none. */
  readonly worker?: () => Promise<StartWorker>
  limitGroups(db: Client, names: readonly string[], maxRunning: number): Promise<void>
  /** The same limit for every group of a queue. */
  limitGroupsOfQueue(db: Client, queue: string, maxRunning: number): Promise<void>
}

/** Makes a subject in a schema of its own, as often as there are variants to measure. */
export interface SubjectKind {
  readonly name: string
  open(schema: string): Subject
}
