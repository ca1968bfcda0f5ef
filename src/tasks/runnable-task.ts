import type { TaskDefinition } from './define-task.ts'
import type { StandardSchema } from './standard-schema.ts'

/** A definition whose types are forgotten: any task a worker can be given. */
export type RunnableTask = Omit<TaskDefinition<string, never, unknown>, 'schema'> & {
  readonly schema?: StandardSchema<unknown, unknown>
}
