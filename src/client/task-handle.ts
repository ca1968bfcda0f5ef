import type { Enqueued } from '../engine/task.ts'
import type { WaitOptions } from './waiting.ts'

/** A task that was enqueued. */
export interface TaskHandle<Output> extends Enqueued {
  /** The task's id. With a key that was taken, that of the task which holds it. */
  readonly id: string
  /** Whether it was created or, with a key that was taken, what happened instead. */
  readonly outcome: Enqueued['outcome']
  /**
   * Waits for its end and gives its output; see {@link Tusk.wait}. For a task that was enqueued in a
   * transaction, wait after the commit.
   */
  wait(options?: WaitOptions): Promise<Output>
}

export function taskHandle<Output>(
  { id, outcome }: Enqueued,
  wait: (id: string, options?: WaitOptions) => Promise<unknown>,
): TaskHandle<Output> {
  return { id, outcome, wait: async (options) => (await wait(id, options)) as Output }
}
