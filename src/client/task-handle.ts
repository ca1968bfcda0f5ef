import type { Enqueued, Json } from '../engine/task.ts'
import { TuskError } from '../lib/errors.ts'
import type { On } from './on.ts'
import type { TuskTasks } from './tasks.ts'
import { outputOf, type TaskEnd, type WaitOptions } from './waiting.ts'

/** An enqueued task. If you passed a transaction as `on`, call its methods after the commit. */
export interface TaskHandle<Output> extends Enqueued {
  /** The task's id. If its key was taken, the id of the task that holds the key. */
  readonly id: string
  /** Whether it was created, or what happened instead because its key was taken. */
  readonly outcome: Enqueued['outcome']
  /** Waits for its end and returns its output; see {@link Tusk.wait}. */
  wait(options?: WaitOptions): Promise<Output>
  /** Waits until it has ended, whatever the result, and returns how; see {@link Tusk.waitForEnd}. */
  waitForEnd(options?: WaitOptions): Promise<TaskEnd<Output>>
  /** Cancels it, whether it waits or runs; see {@link TuskTasks.cancel}. */
  cancel(options?: On): Promise<void>
  /**
   * What its handler last passed to `progress()`; null before that. Rejects with `task_not_found` if it is no longer
   * kept.
   */
  progress(options?: On): Promise<Json>
}

/** The part of the client that the methods of a handle call. */
interface HandleClient {
  readonly tasks: TuskTasks
  waitForEnd(id: string, options?: WaitOptions): Promise<TaskEnd>
}

export function taskHandle<Output>(
  { id, outcome }: Enqueued,
  client: HandleClient,
): TaskHandle<Output> {
  return {
    id,
    outcome,
    wait: async (options) => outputOf(id, await client.waitForEnd(id, options)) as Output,
    waitForEnd: async (options) => (await client.waitForEnd(id, options)) as TaskEnd<Output>,
    cancel: (options) => client.tasks.cancel(id, options),
    progress: async (options) => {
      const task = await client.tasks.get(id, options)
      if (task !== null) return task.progress
      throw new TuskError('task_not_found', `task ${id} does not exist or is no longer kept`)
    },
  }
}
