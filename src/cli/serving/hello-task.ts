import { type AnyTask, defineTask } from '../../tasks/define-task.ts'

/** The queue of the task that `tusk start` and `tusk demo` propose to try. */
export const helloQueue = 'hello_tusk'

/** What `tusk start` can run without a handler of yours, so that the first task you enqueue gets done. */
export const helloTask: AnyTask = defineTask({
  name: helloQueue,
  maxAttempts: 1,
  run: (payload: unknown) => `Hello, ${nameIn(payload) ?? 'world'}!`,
})

function nameIn(payload: unknown): string | undefined {
  const { name } = (payload ?? {}) as { name?: unknown }
  return typeof name === 'string' ? name : undefined
}
