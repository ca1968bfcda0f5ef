import type { Json, TaskState } from '../engine/task.ts'

/** How an attempt ended. `lost`: the task was cancelled or deleted while it ran, or the test let its process die. */
export type RanOutcome =
  | 'done'
  | 'failed'
  | 'waiting'
  | 'rescheduled'
  | 'rejected'
  | 'killed'
  | 'lost'

/**
 * One attempt that was run, and what became of it.
 *
 * @example
 * ```ts
 * const [ran] = await test.runAll()
 * assert.partialDeepStrictEqual(ran, { name: 'send_mail', outcome: 'failed', state: 'retrying' })
 * ```
 */
export interface RanTask {
  readonly id: string
  /** The name of the task, which is that of its handler. */
  readonly name: string
  readonly queue: string
  readonly attempt: number
  readonly payload: Json
  readonly outcome: RanOutcome
  /** Where the task stands afterwards, `retrying` for example; null if it was not kept. */
  readonly state: TaskState | null
  readonly output: Json
  /** The error as it is kept with the attempt: name, message, code, stack, cause. */
  readonly error: Json
  /** What the handler itself threw, if it did. */
  readonly thrown: unknown
}
