import type { Queryable } from '../db/queryable.ts'
import type { Json } from '../engine/task.ts'
import type { Duration } from '../lib/duration.ts'
import type { ClaimedTask } from './claimed-task.ts'
import type { TaskDefinition } from './define-task.ts'
import type {
  Child,
  EndsOf,
  JoinOptions,
  OutputsOf,
  ReceiveOptions,
  Signal,
  SpawnOptions,
  StepOptions,
} from './durable.ts'

/** What a handler gets in addition to its payload. */
export interface Context {
  /** The task with its properties in camelCase, such as `task.runAt`. */
  readonly task: ClaimedTask
  readonly attempt: number
  /** Aborts on timeout, cancel, lost lease or shutdown; `signal.reason` says which. */
  readonly signal: AbortSignal
  /** Stores how far the work has come. Shown with the task. */
  progress(progress: Json): Promise<void>
  /** Logs a line that is kept with the task. */
  log(message: string, level?: LogLevel): void
  /** Renews the lease now. Call it in work that blocks the event loop. */
  extend(): Promise<void>
  /**
   * Runs work in a transaction that also completes the task: its writes and the completion commit together or not at
   * all. What it returns becomes the task's output.
   */
  transaction<Output extends Json>(work: (db: Queryable) => Promise<Output>): Promise<Output>
  /** Runs a step whose writes and checkpoint commit together, so the writes happen exactly once. */
  transaction<Output>(name: string, work: (db: Queryable) => Promise<Output>): Promise<Output>
  /**
   * Runs `work` once and stores its result under this name. When the task runs again, it gets the stored result, as
   * JSON returns it. Names are unique within a task.
   */
  step<Output>(
    name: string,
    work: (signal: AbortSignal) => Output | Promise<Output>,
    options?: StepOptions,
  ): Promise<Output>
  /** Waits without holding a slot, a lease or a connection. A duration counts from when the task first gets here. */
  delay(name: string, time: Duration | Date): Promise<void>
  /**
   * Waits for a signal without holding a slot. Signals with one name arrive in the order they were sent, including
   * those sent before this call. Undefined if the timeout came first.
   */
  receive<Payload = Json>(
    signal: string | Signal<Payload>,
    options?: ReceiveOptions,
  ): Promise<Payload | undefined>
  /** Starts another task, once, however often this one runs. */
  spawn<Output = Json, Input = Json, Payload = Input>(
    task: string | TaskDefinition<string, Payload, Output, Input>,
    payload?: NoInfer<Input>,
    options?: SpawnOptions,
  ): Promise<Child<Output>>
  /**
   * Waits for children without holding a slot. Returns their outputs, or throws StepFailed for the first child that
   * failed.
   */
  join<const C extends readonly (Child<unknown> | Promise<Child<unknown>>)[]>(
    ...children: C
  ): Promise<OutputsOf<C>>
  /** Returns the output of the child that won, or throws StepFailed. */
  join<const C extends readonly (Child<unknown> | Promise<Child<unknown>>)[]>(
    children: C,
    options: JoinOptions & { readonly mode: 'any' | 'race' },
  ): Promise<OutputsOf<C>[number]>
  /** Waits until all children have ended and returns how each ended. */
  join<const C extends readonly (Child<unknown> | Promise<Child<unknown>>)[]>(
    children: C,
    options: { readonly mode?: 'all'; readonly onFailure: 'collect' },
  ): Promise<EndsOf<C>>
  /** Appends to the stream of the task, which readers can follow while it runs. */
  write(chunk: Json): void
  /**
   * Returns which version of the code a task follows from here: `current` for tasks that get here for the first time, 0
   * for tasks that had passed this point before the call was added.
   */
  version(name: string, current?: number): Promise<number>
}

/** The severity of a log line of a task. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Why a handler's signal was aborted. */
export type AbortReason = 'timeout' | 'cancelled' | 'lease_lost' | 'shutdown'
