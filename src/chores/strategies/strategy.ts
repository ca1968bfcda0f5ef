import type pg from 'pg'
import type { Queryable } from '../../db/queryable.ts'
import type { EndOfTerm } from '../../engine/leading.ts'
import type { Verbs } from '../../engine/verbs.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Chore } from '../chore.ts'
import type { RunStatistics } from '../run-statistics.ts'

/** What the worker lends to those who do its chores. */
export interface ChoreTools {
  readonly verbs: Verbs
  readonly worker: string
  readonly log: Logger
  /** Runs work on the connection for leading, which nothing else may delay. */
  readonly lead: <T>(work: (db: Queryable) => Promise<T>) => Promise<T>
  /** Runs work on a connection of its own; it is cut when the signal aborts. */
  readonly borrow: <T>(signal: AbortSignal, work: (db: Queryable) => Promise<T>) => Promise<T>
  /** The same for one short statement; it may run on a connection that is open anyway, and is not cut. */
  readonly share: <T>(signal: AbortSignal, work: (db: Queryable) => Promise<T>) => Promise<T>
  /**
   * Runs one statement that the server ends within `onceMs`; cut when the signal aborts. Undefined, and nothing has run,
   * if the connection for that is in use or does not keep its settings.
   */
  readonly once: <T extends object>(
    signal: AbortSignal,
    work: (db: Queryable) => Promise<T>,
  ) => Promise<T | undefined>
  readonly onceMs: number
  /** A client of its own, not connected yet. */
  readonly newClient: (applicationName: string) => pg.Client
  /** How long a run may take to stop after it was asked to. */
  readonly graceMs: number
}

/** The right to do a chore, while its signal has not aborted. */
export interface Grant {
  /** The fencing number; null when several workers may do the chore at once. */
  readonly term: bigint | null
  /** Aborts when the right is gone. */
  readonly signal: AbortSignal
  /** For how long the right can be relied on without asking. */
  trustedForMs(): number
  /** How long to wait before the first run. */
  readonly firstPauseMs: number
  /** How long to wait after a run that asked for `nextMs` and found something to do, or not. */
  pauseMs(nextMs: number, found: boolean): number
  /** The database said that the right is gone: find out. */
  doubt(): void
  /** Gives the right up, because a run does not end. */
  giveUp(): void
}

/** What is done with a grant: runs, until it is asked to finish or the grant's signal aborts. */
export interface Tenure {
  /** Runs at once. */
  nudge(): void
  /** Begins no further run; resolves when the last one has ended, or was asked to stop and had its time. */
  finish(withinMs: number): Promise<void>
}

/** Begins a tenure. */
export type Take = (chore: Chore, grant: Grant) => Tenure

export interface StrategyOptions {
  readonly tools: ChoreTools
  readonly chores: readonly Chore[]
  readonly statistics: RunStatistics
  readonly take: Take
  /** A run of this chore has not ended although it was asked to: do not take it again. */
  readonly isStuck: (chore: string) => boolean
  /** The database got a report on the chores, and said how many workers would lead them. */
  readonly onReported: (workers: number) => void
  /** Makes the chores known again: the database has forgotten them. */
  readonly register: () => Promise<void>
}

/** What is said on the channel of chores. */
export interface ChoreMessage {
  readonly chore: string
  readonly heir?: string | null
  readonly resign?: string
}

/** A way of deciding who does a chore. Stopping gives everything up, so that others take over at once. */
export interface Strategy {
  start(): void
  stop(withinMs: number): Promise<void>
  hear(message: ChoreMessage): void
  /** Messages may have been missed. */
  lookAgain(): void
}

export type { EndOfTerm }
