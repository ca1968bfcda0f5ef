import type { ClaimedTask } from '../../tasks/claimed-task.ts'
import type { AbortReason } from '../../tasks/context.ts'

interface OfTask {
  readonly task: ClaimedTask
}

interface OfRun extends OfTask {
  /** From the start of the run to its end, in milliseconds. */
  readonly durationMs: number
}

/** A run begins. */
export interface StartedEvent extends OfTask {}

/** A task was completed: the database has stored its output. */
export interface CompletedEvent extends OfRun {}

/** An attempt did not succeed: the database has stored its error. */
export interface FailedEvent extends OfRun {
  /** What the handler threw; for other failures an Error with the message that is stored. */
  readonly error: unknown
  readonly reason: 'error' | 'timeout' | 'rejected' | 'killed'
  /** No attempt is left: the task has failed. */
  readonly isFinal: boolean
  /** When the task is tried again; null when it is not, or when the database's answer was lost. */
  readonly nextAttemptAt: Date | null
}

/** A handler asked for another round. */
export interface RescheduledEvent extends OfRun {
  readonly runAt: Date
}

/** The worker gave a task back without charging an attempt, because it stops or because a limit was lowered. */
export interface ReleasedEvent extends OfTask {
  /** False for a task that waited in the buffer. */
  readonly wasStarted: boolean
}

/** A task is no longer this worker's: its result, if there is one, is dropped. */
export interface LostEvent extends OfTask {
  readonly reason: AbortReason
}

/** What a worker tells its listeners, by the name of the event. */
export interface WorkerEvents {
  readonly started: StartedEvent
  readonly completed: CompletedEvent
  readonly failed: FailedEvent
  readonly rescheduled: RescheduledEvent
  readonly released: ReleasedEvent
  readonly lost: LostEvent
  /** Nothing is left to claim, and everything that was claimed is reported. */
  readonly idle: Readonly<Record<never, never>>
  /** The worker stops: it claims nothing more. */
  readonly stopping: Readonly<Record<never, never>>
  readonly stopped: Readonly<Record<never, never>>
}

/** The name of an event of a worker. */
export type WorkerEventName = keyof WorkerEvents

/** What you do about an event. What it throws is logged, and changes nothing. */
export type WorkerListener<Name extends WorkerEventName> = (
  event: WorkerEvents[Name],
) => void | Promise<void>

/** Listeners by the name of their event. */
export type WorkerListeners = {
  readonly [Name in WorkerEventName]?: WorkerListener<Name> | undefined
}
