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

/** What a handler is given besides its payload. */
export interface Context {
  /** The task with its properties in camelCase, such as `task.runAt`. */
  readonly task: ClaimedTask
  readonly attempt: number
  /** Aborts on timeout, cancel, lost lease or shutdown; `signal.reason` says which. */
  readonly signal: AbortSignal
  /** How far the work has come; shown with the task. */
  progress(progress: Json): Promise<void>
  /** A line that stays with the task. */
  log(message: string, level?: LogLevel): void
  /** Renews the lease now, for work that blocks. */
  extend(): Promise<void>
  /**
   * Runs work in a transaction that also completes the task: its writes and the completion commit
   * together or not at all. What it returns is the task's output.
   */
  transaction<Output extends Json>(work: (db: Queryable) => Promise<Output>): Promise<Output>
  /** A step whose work and checkpoint commit together: its writes happen exactly once. */
  transaction<Output>(name: string, work: (db: Queryable) => Promise<Output>): Promise<Output>
  /**
   * Runs `work` once, and stores what it returns under this name. When the task runs again it gets the
   * stored result, as JSON gives it back. Names are unique within a task.
   */
  step<Output>(
    name: string,
    work: (signal: AbortSignal) => Output | Promise<Output>,
    options?: StepOptions,
  ): Promise<Output>
  /** Waits, without a slot, a lease or a connection. A duration counts from when the task first comes here. */
  delay(name: string, time: Duration | Date): Promise<void>
  /**
   * Waits for a signal, without a slot. Signals of one name arrive in the order in which they were sent, also those
   * sent before. Undefined when the time-out came first.
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
  /** Waits for children, without a slot: their outputs, or StepFailed with the first that did not succeed. */
  join<const C extends readonly (Child<unknown> | Promise<Child<unknown>>)[]>(
    ...children: C
  ): Promise<OutputsOf<C>>
  /** The output of the child that won, or StepFailed. */
  join<const C extends readonly (Child<unknown> | Promise<Child<unknown>>)[]>(
    children: C,
    options: JoinOptions & { readonly mode: 'any' | 'race' },
  ): Promise<OutputsOf<C>[number]>
  /** How each child ended, when all have. */
  join<const C extends readonly (Child<unknown> | Promise<Child<unknown>>)[]>(
    children: C,
    options: { readonly mode?: 'all'; readonly onFailure: 'collect' },
  ): Promise<EndsOf<C>>
  /** Adds to the stream of the task, which readers can follow while it runs. */
  write(chunk: Json): void
  /**
   * Which version of the code a task follows from here on: `current` for tasks that come here first, and 0 for
   * those that had gone on from here before this call was in the code.
   */
  version(name: string, current?: number): Promise<number>
}

/** How serious a line of a task is. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Why a handler's signal was aborted. */
export type AbortReason = 'timeout' | 'cancelled' | 'lease_lost' | 'shutdown'
